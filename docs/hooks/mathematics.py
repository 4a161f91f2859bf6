"""Set the formulas of a page as MathML, which a browser shows without a script.

Formulas are TeX between dollars, found by ``pymdownx.arithmatex``.  An ``eqref`` is a link to an
equation of the same page.  A full stop or comma stays with the formula before it.
"""

import html
import re

from math_core import LatexError, LatexToMathML
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

_FORMULA = re.compile(r'(?s)(<(span|div) class="arithmatex">)\\[(\[](.*?)\\[)\]](</\2>)([.,;:)]*)')


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replace the TeX of each formula."""
    del config, files
    formulas = [(html.unescape(m[3]), m[2] == "div") for m in _FORMULA.finditer(content)]
    try:
        converted = iter(LatexToMathML(fancy_error=False).convert_all(formulas))
    except LatexError as error:
        raise PluginError(f"{page.file.src_uri}: {error}") from error
    return _FORMULA.sub(lambda m: f"{m[1]}{next(converted)}{m[5]}{m[4]}", content)
