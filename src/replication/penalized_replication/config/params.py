"""Sections of the config as jobs have them: from params of the rules, one for each key."""

from typing import Any

from penalized_replication.experiments.catalogue import EXPERIMENTS


def sections_of(params: Any) -> dict[str, dict[str, Any]]:
    """Return sections by experiment, defaults filled in, from params of a rule.

    ``experiments`` has their order, ``section_KEY`` the values of a key: ``{"log_laws.gaps": x}``.
    """
    given: dict[str, dict[str, Any]] = {name: {} for name in params["experiments"]}
    for param, values in params.items():
        for name, value in values.items() if param.startswith("section_") else ():
            of, _, key = name.partition(".")
            given[of][key] = value
    return {
        name: EXPERIMENTS[name].section.model_validate(keys).model_dump(mode="json")
        for name, keys in given.items()
    }
