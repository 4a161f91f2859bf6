"""Extensions loaded for a while: the lists that they fill are shared by all tests of a process."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from penalized_bandits.policies import POLICIES
from penalized_replication import extensions
from penalized_replication.claims import CLAIMS
from penalized_replication.experiments.catalogue import EXPERIMENTS
from penalized_replication.figures import EVERY_FIGURE

_LISTS: tuple[dict[str, Any], ...] = (
    *(extensions.HOMES, extensions.POLICY_FILES),
    *(POLICIES, CLAIMS, EXPERIMENTS, EVERY_FIGURE),
)


@contextmanager
def loaded(*packages: str) -> Iterator[None]:
    before = [dict(values) for values in _LISTS]
    try:
        extensions.load(packages)
        yield
    finally:
        for values, old in zip(_LISTS, before, strict=True):
            values.clear()
            values.update(old)
