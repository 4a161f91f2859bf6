"""Turn the roles of docstrings, such as :func:`simulate`, into links of the site.

A Griffe extension: mkdocstrings reads docstrings as Markdown, which has no roles.
"""

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:func|class|mod|attr|meth|data):`~?([\w.]+)`")


def _link(owner: griffe.Object, name: str) -> str:
    """Return code that links to what a name stands for, where the site has it."""
    try:
        target = owner.resolve(name)
    except griffe.NameResolutionError:
        target = name
    return f'<autoref identifier="{target}" optional><code>{name}</code></autoref>'


class DocstringRoles(griffe.Extension):
    """Replace the roles in every docstring of the package."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Replace those of one object."""
        del kwargs
        if obj.docstring is not None:
            text = obj.docstring.value
            obj.docstring.value = _ROLE.sub(lambda match: _link(obj, match[1]), text)
