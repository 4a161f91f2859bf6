"""Sections of the config as jobs have them: from params of the rules, one for each key."""

from typing import Any

from penalized_replication.experiments.catalogue import experiment


def sections_of(params: Any) -> dict[str, dict[str, Any]]:
    """Return sections by experiment, defaults filled in, from params ``section_KEY`` of a rule.

    Each has the values of a key by experiment: ``{"setting_4.horizon": 20000}``.
    """
    given: dict[str, dict[str, Any]] = {}
    for param, values in params.items():
        for name, value in values.items() if param.startswith("section_") else ():
            of, _, key = name.partition(".")
            given.setdefault(of, {})[key] = value
    return {
        name: experiment(name).section.model_validate(keys).model_dump(mode="json")
        for name, keys in given.items()
    }
