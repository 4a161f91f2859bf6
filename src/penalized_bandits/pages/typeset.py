"""Text of captions and claims as HTML: escaped first, then sub- and superscripts set."""

import re

from markupsafe import Markup, escape

_TAGS = {"_": "sub", "^": "sup"}
# A single letter with an index: A_k, N_k(T), Δ_(k+1), K_exploit; not setting_3 or log_of.
# Parentheses stay, because they mean the order: Δ_(k) is the k-th smallest gap.
_INDEX = re.compile(r"(?<![\w.])([A-Za-zΑ-Ωα-ω]|max)_(\([^()]*\)|[A-Za-z]+|\d+)")
_POWER = re.compile(r"\^(?:\(([^()]*)\)|([−-]?\w+))")


def formula(text: object) -> Markup:
    """Return text in which ``A_k`` and ``T^(2/3)`` are set as formulas."""
    html = _INDEX.sub(lambda m: f"{m[1]}<sub>{m[2]}</sub>", str(escape(text)))
    html = _POWER.sub(lambda m: f"<sup>{m[1] or m[2]}</sup>", html)
    return Markup(html)  # noqa: S704  (escaped above)


def caption(text: str) -> Markup:
    """Return a caption as HTML: bold, code, and scripts between dollars as in ``τ$_k$``."""
    html = str(escape(text.strip()))
    html = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html)
    html = re.sub(r"`([^`]+)`", r"<code>\1</code>", html)
    html = re.sub(r"\$([_^][^$]+)\$", lambda m: _scripts(m[1]), html)
    return Markup(html)  # noqa: S704  (escaped above)


def _scripts(text: str) -> str:
    return re.sub(
        r"([_^])(?:\{([^}]*)\}|(.))",
        lambda m: f"<{_TAGS[m[1]]}>{m[2] or m[3]}</{_TAGS[m[1]]}>",
        text,
    )
