"""Set the formulas of a page as MathML, which a browser shows without a script.

Formulas are TeX between dollars, found by ``pymdownx.arithmatex``; a ``tag`` numbers one.
"""

import html
import re

from math_core import LatexError, LatexToMathML
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

_FORMULA = re.compile(r'(?s)(<(span|div) class="arithmatex">)\\[(\[](.*?)\\[)\]](</\2>)([.,;:)]*)')
_CONVERTER = LatexToMathML(fancy_error=False)


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replace the TeX of each formula; a full stop or comma after it stays with it."""
    del config, files

    def mathml(match: re.Match[str]) -> str:
        start, kind, escaped, end, stop = match.groups()
        tex = html.unescape(escaped).strip()
        if "\\tag{" in tex:
            tex = rf"\begin{{equation}}{tex}\end{{equation}}"
        try:
            formula = _CONVERTER.convert_with_local_state(tex, displaystyle=kind == "div")
        except LatexError as error:
            raise PluginError(f"{page.file.src_uri}: {tex}: {error}") from error
        return f"{start}{formula}{stop}{end}"

    return _FORMULA.sub(mathml, content)
