"""The templates, text of captions and claims as HTML (escaped first, then set), forest plots.

A forest plot, which ``templates/macros.html.j2`` draws, has a strip for each comparison of a claim,
all with their limit in one line.  Comparisons have limits and units of their own, so that a strip
shows the margin: how far the estimate lies on the claim's side of its limit, as a share of that
limit or of the reference scale.  The scale is symmetric, linear near the limit, logarithmic beyond
10 %.
"""

import base64
import math
import re
import zlib
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from penalized_bandits.common.numbers import WORDS, estimate, format_number, percent
from penalized_bandits.policies import POLICIES
from penalized_replication.claims.comparisons import Comparison, against
from penalized_replication.claims.table.render import facts_of, measured_text
from penalized_replication.experiments.base import name_of
from penalized_replication.figures.overtaking import rounded

TEMPLATES = Path(__file__).parent / "templates"
JSON: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":"), "allow_nan": False}
# A single letter with an index: A_k, N_k(T), Δ_(k+1), K_exploit; not setting_3 or log_of.
# Parentheses stay, because they mean the order: Δ_(k) is the k-th smallest gap.
_INDEX = re.compile(r"(?<![\w.])([A-Za-zΑ-Ωα-ω]|max)_(\([^()]*\)|[A-Za-z]++|\d++)(?![A-Za-z0-9_])")
_CAPTION = re.compile(r"`([^`]+)`|\\([^A-Za-z0-9\s])|\*\*(.+?)\*\*|\$([_^][^$]+)\$")
_SIZE = re.compile(r'<svg [^>]*?width="(\d+)[\d.]*pt" height="(\d+)')
_SCRIPT = re.compile(r"([_^])(?:\{([^}]*)\}|(.))|([^_^]+)")
_POWER = re.compile(r"\^(?:\(([^()]*)\)|([−-]?\w+))")
LINEAR, WIDEST = 0.1, 3.0  # margins at the end of the linear part, and of the scale


def environment(folder: Path = TEMPLATES) -> Environment:
    """Return where templates are found; whatever they are filled in with is escaped."""
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"shown": format_number, "formula": formula, "named": name_of}
    made.filters |= {"margins": margin, "margin": margin_text, "place": place, "percent": percent}
    made.filters |= {"worst_first": partial(sorted, key=against, reverse=True)}
    made.filters |= {"facts": facts_of, "measured": measured_text, "rounded": rounded}
    made.tests |= {"nan": math.isnan, "finite": math.isfinite}
    made.globals |= {"estimate": estimate, "level": WORDS, "widest": WIDEST, "policies": POLICIES}
    # For scripts: nothing in it ends the element.
    made.policies["json.dumps_kwargs"] = JSON
    return made


def written(*names: str, folder: Path = TEMPLATES) -> Markup:
    """Return a style sheet, or scripts of the package, to be written into a page."""
    text = "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    return Markup(text)  # noqa: S704  (our own)


def packed(name: str, text: str) -> Markup:
    """Return an element that holds a text (deflate, base64), which ``page.js`` unpacks by its name.

    Another zlib may pack the same text into other bytes: no list of checksums has the page.
    """
    data = base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")
    return Markup('<script type="text/plain" id="packed-{}">{}</script>').format(name, data)


def picture(svg: Path, label: str, described_by: str, name: str = "") -> Markup:
    """Return a figure to be written into a page, with a label for those who do not see it.

    - ``described_by``: id of the element that describes it.
    - ``name``: that of the packed drawing; without one it is there at once, and without scripts.
    """
    text = svg.read_text(encoding="utf-8")
    image = Markup('<img {} alt="{}" aria-describedby="{}">')
    if name:
        size = Markup('width="{}" height="{}" data-packed="{}"')
        source = size.format(*_SIZE.findall(text)[0], name)
        return image.format(source, label, described_by) + packed(name, text)
    data = base64.b64encode(text.encode()).decode("ascii")
    source = Markup('src="data:image/svg+xml;base64,{}"').format(data)
    return image.format(source, label, described_by)


def begun(path: Path) -> tuple[str, str]:
    """Return the finding with which a caption begins, without the figure's number, and the rest."""
    found, _, rest = path.read_text("utf-8").strip().removeprefix("**").partition("**")
    return re.sub(r"^Figure \d+\. ", "", found), rest.strip()


def scripts(text: str) -> list[tuple[str, str]]:
    """Return the parts of a text like ``_k^{1/3}``, each as sub, sup or nothing, and its text."""
    tags = {"_": "sub", "^": "sup", "": ""}
    return [(tags[m[1] or ""], m[2] or m[3] or m[4] or "") for m in _SCRIPT.finditer(text)]


def formula(text: object) -> Markup:
    """Return text in which ``A_k`` and ``T^(2/3)`` are set as formulas."""
    html = _INDEX.sub(
        # A policy of the user's own may have an id of this form.
        lambda m: m[0] if m[0] in POLICIES else f"{m[1]}<sub>{m[2]}</sub>",
        str(escape(text)),
    )
    return Markup(_POWER.sub(lambda m: f"<sup>{m[1] or m[2]}</sup>", html))  # noqa: S704  (escaped)


def caption(text: str) -> Markup:
    """Return a caption as HTML: bold, code, escaped signs, and scripts as in ``τ$_k$``."""
    return Markup(_CAPTION.sub(_set, str(escape(text.strip()))))  # noqa: S704  (escaped here)


def _set(found: re.Match[str]) -> str:
    code, sign, bold, script = found.groups()
    if bold:
        return f"<strong>{_CAPTION.sub(_set, bold)}</strong>"
    if script:
        return "".join(f"<{tag}>{part}</{tag}>" if tag else part for tag, part in scripts(script))
    return sign or f"<code>{code}</code>"


def _unit(one: Comparison, edge: float) -> float:
    """Return what a distance to a limit is a share of: if that is 0, of the largest number."""
    if one.reference_scale > 0 or one.trials:
        return one.reference_scale if one.reference_scale > 0 else 1.0
    known = (abs(x) for x in (one.estimate, one.low, one.high) if math.isfinite(x))
    return abs(edge) or max(known, default=0.0) or 1.0


def margin(one: Comparison) -> tuple[float, float, float]:
    """Return how far estimate and interval lie on the claim's side; NaN where there is no limit.

    Positive on the claim's side.  Of two limits the nearer one counts, so that the margin of
    an interval is least at one of its ends and may be largest within.
    """
    limits = [(x, sign) for x, sign in ((one.most, -1), (one.least, 1)) if math.isfinite(x)]
    if not limits:
        return math.nan, math.nan, math.nan
    value, *ends = (
        min(sign * (x - edge) / _unit(one, edge) for edge, sign in limits)
        for x in (one.estimate, one.low, one.high)
    )
    return value, min(ends), max(ends if math.isnan(value) else [*ends, value])


def margin_text(one: Comparison) -> str:
    """Write the margin in percent, where it is a share of something."""
    of_something = 0.0 not in (one.least, one.most) or one.reference_scale > 0 or one.trials
    return percent(margin(one)[0]) if of_something else ""


def place(share: float) -> float:
    """Return where a margin stands in a strip, in percent of its width."""
    size = math.log1p(abs(share) / LINEAR) / math.log1p(WIDEST / LINEAR)
    return 50 + math.copysign(45 * min(size, 1.0), share)
