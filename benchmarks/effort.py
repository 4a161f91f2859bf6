"""How much work a run of the benchmarks does: in full, to try them, or for a test."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """Sizes of everything that is measured."""

    repetitions: int
    """How often each measurement is repeated."""
    shrink: int
    """What numbers of pulls are divided by."""
    arms: tuple[int, ...] = (5, 20, 118, 1_000, 10_000)
    peer_arms: tuple[int, ...] = (5, 20, 118)
    loop_arms: tuple[int, ...] = (118, 300, 500, 700, 1_000, 2_000, 5_000, 10_000)
    """Numbers of arms at which the two loops of the engine are compared."""
    horizons: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
    replicates: tuple[int, ...] = (1, 10, 100, 1_000, 10_000, 100_000)
    config_file: str = "config/config.yaml"
    """Config of the workflow that is timed."""

    def repeat(self, most: int | None = None) -> int:
        """Return the number of repetitions, at most ``most`` where one takes long."""
        return self.repetitions if most is None else min(self.repetitions, most)

    def pulls(self, full: int, least: int = 1) -> int:
        """Shrink a number of rounds or replicates."""
        return max(full // self.shrink, least)


FULL = Effort(repetitions=7, shrink=1)
QUICK = Effort(
    repetitions=3,
    shrink=10,
    loop_arms=(118, 1_000, 2_000),
    horizons=(1_000, 10_000, 100_000),
    replicates=(1, 100, 10_000),
    config_file="config/quick.yaml",
)
SMOKE = Effort(
    repetitions=1,
    shrink=1_000,
    arms=(3,),
    peer_arms=(3,),
    loop_arms=(3, 4),
    horizons=(10,),
    replicates=(2,),
    config_file="config/quick.yaml",
)
