"""Evidence for claims beyond the paper: replicates, and the reward laws behind them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.extensions.comparison import Laws


class ExtendedEvidence(Evidence):
    """Replicates of the experiments beyond the paper, with the reward laws of their cases."""

    def __init__(
        self,
        sections: Mapping[str, Mapping[str, Any]],
        replicates: Mapping[str, Sequence[Path | str]],
        parts: int | Mapping[str, int],
        laws: Laws,
    ) -> None:
        super().__init__(sections, replicates, parts)
        self.laws = laws
