"""What typst needs: text that it does not take for markup, and pictures as text."""

import base64
import json
import re
import struct
from pathlib import Path

_SCRIPTED = re.compile(r"\$([_^][^$]+)\$|(?<![\w.])([A-Za-zΑ-Ωα-ω]|max)_(\([^()]*\)|\w+)(?!\w)")
_SCRIPT = re.compile(r"([_^])(?:\{([^}]*)\}|(.))|([^_^]+)")


def scripts(text: str) -> list[tuple[str, str]]:
    """Return the parts of a text like ``_k^{1/3}``, each as sub, sup or nothing, and its text."""
    tags = {"_": "sub", "^": "sup", "": ""}
    return [(tags[m[1] or ""], m[2] or m[3] or m[4] or "") for m in _SCRIPT.finditer(text)]


def markup(text: str) -> str:
    """Return a caption or a statement as typst markup: escaped, sub- and superscripts set.

    Quotation marks become those of print; the marks of code go.

    >>> markup("τ$_k$ and A_k, **not** #code")
    '#{"τ"}#sub[#{"k"}]#{" and A"}#sub[#{"k"}]#{", "}*#{"not"}*#{" #code"}'
    """
    text = re.sub('"([^"]*)"', r"“\1”", text).replace("`", "")
    bold = re.split(r"\*\*(.+?)\*\*", text)
    return "".join(f"*{_scripted(t)}*" if i % 2 else _scripted(t) for i, t in enumerate(bold))


def _scripted(text: str) -> str:
    found, end = "", 0
    for match in _SCRIPTED.finditer(text):
        found += _plain(text[end : match.start()] + (match[2] or ""))
        for tag, part in scripts(match[1]) if match[1] else [("sub", match[3])]:
            function = {"sub": "#sub", "sup": "#super"}.get(tag)
            found += f"{function}[{_plain(part)}]" if function else _plain(part)
        end = match.end()
    return found + _plain(text[end:])


def _plain(text: str) -> str:
    """Return text as a typst string, in which nothing is markup."""
    text = re.sub(r"\\([^A-Za-z0-9\s])", r"\1", text)
    return f"#{{{json.dumps(text, ensure_ascii=False)}}}" if text else ""


def as_text(path: Path | str) -> bytes:
    """Return a file as typst takes it from memory, where it takes text alone: a PNG as SVG."""
    content = Path(path).read_bytes()
    if not content.startswith(b"\x89PNG"):
        return content
    width, height = struct.unpack(">II", content[16:24])
    link = f"data:image/png;base64,{base64.b64encode(content).decode()}"
    size = f'width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    return f'{head}<image {size} href="{link}"/></svg>'.encode()
