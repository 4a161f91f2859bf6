"""Optional dependencies: pandas, seaborn with matplotlib, and those of the command line."""

from importlib import import_module
from typing import Any

from penalized_bandits.common.errors import UserError


class MissingExtraError(UserError, ImportError):
    """An optional dependency that is not installed; the message has the command."""


def extra(name: str, module: str) -> Any:
    """Import a module of the extra ``name``; MissingExtraError if a package is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"this needs {error.name!r}: pip install 'penalized-bandits[{name}]' "
            f"(of a checkout: './src/library[{name}]')"
        ) from None
