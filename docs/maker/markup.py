"""What the site's Markdown has that Markdown has not: formulas as MathML, indices, anchors.

All of it is written into the pages before any builder reads them.
"""

import re
from collections.abc import Callable

from markdown.extensions.toc import slugify
from math_core import LatexError, LatexToMathML

from penalized_bandits.common.errors import UserError
from penalized_bandits.pages.typeset import indices

FENCED = re.compile(r"(?ms)^( *(?:```|~~~).*?^ *(?:```|~~~) *$)")
_KEPT = re.compile(r"(`+(?!`).+?`+|\]\([^)\n]*\)|<[A-Za-z/!][^<>\n]*>|\{ #[^}\n]*\}|&#?\w+;)")
"""Code, addresses of links, HTML, names of anchors: nothing in them is a formula."""
_FORMULA = re.compile(
    r"(?<![\\$])(\$\$)((?:[^$\\]|\\.)+?)\$\$([.,;:]*)"
    r"|(?<![\\$])\$(?!\s)((?:(?!\n\s*\n)[^$\\]|\\.)+?)(?<!\s)\$([.,;:)]*)",
    re.DOTALL,
)
_HEADING = re.compile(r"(?m)^(#+) +(.*?) *$")
_CONVERTER = LatexToMathML(fancy_error=False)


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change what of a page stands outside its blocks of code."""
    parts = FENCED.split(text)
    return "".join(part if n % 2 else change(part) for n, part in enumerate(parts))


def formulas(text: str) -> str:
    """Set TeX between dollars as MathML, and ``N_k`` with its index below the line.

    Raises UserError with the TeX that cannot be set.
    """
    return outside_code(text, lambda part: _with_indices(_FORMULA.sub(_mathml, part)))


def _with_indices(text: str) -> str:
    parts = _KEPT.split(text)
    return "".join(part if n % 2 else indices(part) for n, part in enumerate(parts))


def _mathml(match: re.Match[str]) -> str:
    """Return one formula in one line, a full stop or comma after it within."""
    display, stop = bool(match[1]), match[3] or match[5] or ""
    # A formula may stand in a quotation, whose lines begin with >.
    tex = re.sub(r"(?m)^ *> ?", "", match[2] or match[4]).strip()
    numbered = rf"\begin{{equation}}{tex}\end{{equation}}" if r"\tag{" in tex else tex
    try:
        found = _CONVERTER.convert_with_local_state(numbered, displaystyle=display)
    except LatexError as error:
        raise UserError(f"{tex}: {error}") from error
    # Signs that mean something in Markdown, and what else would look like an index.
    found = re.sub(r">[^<]+<", lambda m: re.sub(r"[*_|\\\[\]^~`]", _entity, m[0]), found)
    found = re.sub(r"\s*\n\s*", " ", found)
    return f'<span class="arithmatex{" display" * display}">{found}{stop}</span>'


def _entity(sign: re.Match[str]) -> str:
    return f"&#{ord(sign[0])};"


def claim_anchors(text: str) -> str:
    """Give every claim of a ledger an address of its own (``claims.md#c07``).

    The anchor that a heading has by itself holds the verdict, and would change with it.
    """
    for claim in re.findall(r"(?m)^##+ ([A-Z]\w*\d\w*) \(", text):
        anchor = claim.lower()
        text = re.sub(rf"(?m)^(##+ {claim} \(.*)$", rf"\1 {{ #{anchor} }}", text)
        text = re.sub(rf"(?m)^\| {claim} \|", f"| [{claim}](#{anchor}) |", text)
    return text


def section(text: str, anchor: str) -> str | None:
    """Return what stands under a heading, up to the next one of its level or above."""
    headings = list(_HEADING.finditer(text))
    for number, heading in enumerate(headings):
        if slugify(heading[2], "-") == anchor:
            after = (h.start() for h in headings[number + 1 :] if len(h[1]) <= len(heading[1]))
            return text[heading.end() : next(after, len(text))].strip()
    return None
