"""Errors of a config in words: the key, the value and the allowed values."""

import re
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from penalized_replication.common.section import brief

COPY = (
    "other configs replace keys of the workflow's config/config.yaml, so copy that into config/ of "
    "the folder that you run in, or name it first (--configfile PATH/config.yaml mine.yaml)"
)
"""Remedy where the file is missing that has the keys."""
MOST_LACKING = 9
"""Required keys listed one by one; where more are missing, so is the file that has them."""


_EXPONENT = re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d{1,3}")
"""Numbers that YAML reads as text."""


def _plain(part: int | str) -> str:
    """Return a key as it is, or quoted where it would break the line; places count from 1."""
    text = f"value {part + 1}" if isinstance(part, int) else part
    return text if re.fullmatch(r"[\w -]{1,100}", text, re.ASCII) else brief(text)


def _line(error: Any, model: type[BaseModel]) -> str:
    kind, value = error["type"], error["input"]
    parts = map(str, error["loc"]) if kind == "invalid_key" else error["loc"]
    key = ".".join(_plain(part) for part in parts if part != "[key]")
    key = re.sub(r"\.(value \d+)", r", \1", key)
    if kind == "extra_forbidden":
        allowed = _allowed_keys(model, error["loc"][:-1])
        hint = f"; allowed here: {', '.join(allowed)}" if allowed else ""
        return f"{key}: unknown key (value {brief(value)}){hint}"
    if kind == "missing":
        return f"{key}: this key is required"
    message = error["msg"].removeprefix("Value error, ")
    if not key:
        return message  # about several keys, which it names
    if kind.startswith(("int", "float")) and isinstance(value, str):
        if _EXPONENT.fullmatch(value):
            message += f"; YAML reads {value} as text: write {float(value):.15g}"
        else:
            message += "; --config makes nested keys text: use a file"
    got = f"got {brief(value)}"
    return f"{key}: {message}" if got in message else f"{key}: {message} ({got})"


def _allowed_keys(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """Return the keys of the section at a path in the config."""
    kind: Any = model
    for part in path:
        if part == "[key]":
            return []
        if get_origin(kind) in (dict, list):
            kind = get_args(kind)[-1]
        else:
            kind = kind.model_fields[part].annotation
        # Annotated[...] and ... | None stand around what is looked for.
        while get_origin(kind) not in (dict, list, None):
            kind = get_args(kind)[0]
    return list(getattr(kind, "model_fields", {}))


def described(error: ValidationError, model: type[BaseModel]) -> str:
    """Return the errors, a line for each key at fault.

    Where most of the required keys are missing it is one line: that of the file that has them.
    """
    errors = error.errors(include_url=False)
    # Keys of sections: what a case of the user's own lacks is another matter.
    lacking = [e["loc"] for e in errors if e["type"] == "missing" and len(e["loc"]) <= 2]
    if len(lacking) > MOST_LACKING:
        first = ".".join(map(_plain, lacking[0]))
        return f"the config lacks {len(lacking)} keys, {first} the first of them: {COPY}"
    return "\n  ".join(["the config is wrong:", *(_line(e, model) for e in errors)])
