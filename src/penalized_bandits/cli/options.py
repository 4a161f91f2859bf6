"""A command whose options are the fields of a dataclass."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Options = TypeVar("Options")


def command_of(
    options: type[Options], run: Callable[[Options], None], name: str
) -> Callable[..., None]:
    """Return a function for typer: its parameters are the fields, its help is that of ``run``."""

    def command(**given: Any) -> None:
        run(options(**given))

    command.__name__ = name
    command.__doc__ = run.__doc__
    signature = inspect.signature(options)
    command.__signature__ = signature.replace(return_annotation=None)  # type: ignore[attr-defined]
    return command
