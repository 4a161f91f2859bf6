"""Text of captions and claims as HTML: escaped first, then sub- and superscripts set."""

import re

from markupsafe import Markup, escape

from penalized_bandits.policies import POLICIES

_TAGS = {"_": "sub", "^": "sup"}
# A single letter with an index: A_k, N_k(T), Δ_(k+1), K_exploit; not setting_3 or log_of.
# Parentheses stay, because they mean the order: Δ_(k) is the k-th smallest gap.
_INDEX = re.compile(r"(?<![\w.])([A-Za-zΑ-Ωα-ω]|max)_(\([^()]*\)|[A-Za-z]++|\d++)(?![A-Za-z0-9_])")
_CAPTION = re.compile(r"`([^`]+)`|\\([^A-Za-z0-9\s])|\*\*(.+?)\*\*|\$([_^][^$]+)\$")
_POWER = re.compile(r"\^(?:\(([^()]*)\)|([−-]?\w+))")


def formula(text: object) -> Markup:
    """Return text in which ``A_k`` and ``T^(2/3)`` are set as formulas."""
    return Markup(indices(str(escape(text))))  # noqa: S704  (escaped here)


def indices(html: str) -> str:
    """Set the indices and powers of text that is HTML already."""
    html = _INDEX.sub(
        # A policy of the user's own may have an id of this form.
        lambda m: m[0] if m[0] in POLICIES else f"{m[1]}<sub>{m[2]}</sub>",
        html,
    )
    return _POWER.sub(lambda m: f"<sup>{m[1] or m[2]}</sup>", html)


def caption(text: str) -> Markup:
    """Return a caption as HTML: bold, code, and scripts between dollars as in ``τ$_k$``.

    A backslash makes a letter of the sign that follows.
    """
    return Markup(_set(str(escape(text.strip()))))  # noqa: S704  (escaped here)


def _set(html: str) -> str:
    return _CAPTION.sub(_one, html)


def _one(found: re.Match[str]) -> str:
    code, sign, bold, scripts = found.groups()
    if code or sign:
        return f"<code>{code}</code>" if code else sign
    return f"<strong>{_set(bold)}</strong>" if bold else _scripts(scripts)


def _scripts(text: str) -> str:
    return re.sub(
        r"([_^])(?:\{([^}]*)\}|(.))",
        lambda m: f"<{_TAGS[m[1]]}>{m[2] or m[3]}</{_TAGS[m[1]]}>",
        text,
    )
