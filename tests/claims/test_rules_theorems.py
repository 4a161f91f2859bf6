"""Rules of the claims on Theorems 4.1 to 4.3, Lemma 4.4 and their proofs: near each limit."""

import math

import pytest

import theorem_factories as make
from config_helpers import PAPER
from penalized_bandits.claims.measures.proof_steps import ProofSteps, proof_steps
from penalized_bandits.common.typing import FloatArray
from penalized_bandits.theory.inputs import instance_of
from rule_helpers import RARE, RATIO, Case, alternating, check, near, result_of, table
from series_factories import LATE, N, levels_reached, log_laws

RANDOM = {"case": "all_critical"}

# --- C02, C43: shares of replicates; C03, C37: growth -----------------------------
GROWTH = (
    *near("C02 C43", lambda k: make.short(k, k), *RARE, **RANDOM),
    # More often than at the first horizon by Fisher's exact test, level 0.025.
    *near("C02", make.short, (5, "h"), (7, "f"), **RANDOM),
    # Theorem 4.1 is about whole levels, C43 about more than one pull.
    *near("C43", make.short, ((400, 0, 1.0), "h"), **RANDOM),
    *near("C02", make.constructed, (levels_reached, "hhhhh"), (make.unchanged, "ffffh")),
    *near("C43", make.constructed, (make.unchanged, "hfh")),
    # Less than one pull by an interval.
    *near("C03", make.grown, (0.85, "h"), (0.95, "u"), (1.05, "u"), (1.1, "f"), **RANDOM),
    # Less than one pull, or one unit of reward, more than log T grows: both at once.
    *near("C37", make.classical, ((0.9, 0.9, 0.1), "hh"), ((0.9, 0.9, 0.5), "uu"),
          ((1.1, 1.1, 0.1), "ff"), ((0.9, 1.1, 0.1), "hf")),
)  # fmt: skip

# --- C04, C05, C06, C06P, C11, C13: ratios to bounds ------------------------------
OF_4_2, OF_4_4 = {"case": "theorem_4_2"}, {"case": "least_margin_lemma_4_4_K11"}
RATIOS = (
    *near("C04", make.critical_pulls, *RATIO),
    *near("C05", make.explored, *RATIO),
    *near("C06 C06P", make.costly, *RATIO, case="two_arms"),
    *near("C11", make.largest_deficits, *RATIO),
    *near("C13", make.scale_of_deficits, *RATIO, **RANDOM),
    # The constructions: of Theorem 4.7 with a fixed gap, and of Lemma 4.4.
    *near("C06", make.changed, (make.unchanged, "f"), **OF_4_2),
    *near("C06P", make.changed, (make.unchanged, "h"), **OF_4_2),
    *near("C13", make.changed, (make.unchanged, "h"), (make.never, "f"), **OF_4_4),
    # Bounds above T, above the level, or equal to it.
    *near("C04 C06", make.levels, (("small_gap", 1000, 3162), "v"), case="small_gap",
          reason="the bound exceeds T at every horizon"),
    *near("C11", make.levels, ("ties", "v"),
          reason="a_j log T exceeds τ_j T at the largest horizon"),
    *near("C13", make.levels, ("least_margin", "v"), case="least_margin",
          reason="the scale is the level itself"),
)  # fmt: skip


@table(*GROWTH, *RATIOS)
def test_theorems(case: Case) -> None:
    check(case)


def test_the_nearest_horizon_decides_with_an_interval_for_all() -> None:
    def pulls(t: int) -> list[FloatArray]:
        limit = 8 * math.log(t) / 0.15**2 + 10
        return [alternating((0.8 if t == make.T else 0.5) * limit, 0.01 * limit, N)]

    (alone,) = result_of("C05", log_laws("two_arms", pulls)).parts
    (nearest,) = result_of("C05", log_laws("two_arms", pulls, horizons=LATE[2:])).parts
    assert nearest.estimate == alone.estimate
    assert nearest.values["nearest_horizon"] == make.T
    # Student's t with 39 degrees of freedom at 95 % and, of three horizons, at 98.3 %.
    wider = (nearest.high - nearest.low) / (alone.high - alone.low)
    assert wider == pytest.approx(2.5025 / 2.0227, rel=1e-3)


# --- C09, C12: identities ---------------------------------------------------------


@pytest.mark.parametrize(("change", "statuses", "differing"), [(0, "hh", 0), (1, "fh", len(LATE))])
def test_without_penalties(change: int, statuses: str, differing: int) -> None:
    """A replicate that differs from UCB1 counts at each horizon."""
    parts = result_of("C09", make.beside_ucb1(change)).parts
    assert "".join(part.status[0] for part in parts) == statuses
    assert parts[0].estimate == differing


@pytest.mark.parametrize("instance", ["least_margin", "below_the_margin", "at_the_gap"])
def test_observation_1_is_true_of_every_policy(instance: str) -> None:
    # The worst that there is: every arm but the first is never pulled at all.
    (part,) = result_of("C12", log_laws(instance, lambda _: [0.0] * 4)).parts
    assert part.status == "holds"


# --- C42, C45: rounds of the proofs -----------------------------------------------


@pytest.mark.parametrize(
    ("claim", "steps", "statuses"),
    [
        *(("C42", make.violated(k), s) for k, s in ((0, "hh"), (2, "uu"), (9, "uu"), (10, "ff"))),
        ("C42", make.ROUNDS, "vv"),
        *(("C45", make.waited(*x), f"{s}h") for x, s in RATIO),
        *(("C45", make.excess(x), f"h{s}") for x, s in ((0.0, "h"), (1e-6, "f"))),
    ],
)
def test_rounds_of_the_proofs(
    monkeypatch: pytest.MonkeyPatch, claim: str, steps: ProofSteps, statuses: str
) -> None:
    for module in ("theorem_4_2", "theorem_4_3"):
        path = f"penalized_bandits.claims.paper.{module}.proof_steps"
        monkeypatch.setattr(path, lambda *_: steps)
    check(Case(claim, lambda: make.explored(0.5, 0.0, 100.0), statuses,
               "the observation applies to no round" if "v" in statuses else ""))  # fmt: skip


@pytest.mark.parametrize(("instance", "applies"), [("all_critical", 3), ("regular", 4)])
def test_observations_are_not_wrong_where_they_apply(instance: str, applies: int) -> None:
    given = PAPER["log_laws"]["instances"][instance]
    bandit = instance_of(given["means"], given["fairness"], given["penalties"])
    steps = proof_steps(bandit, 10_000, 5)
    assert (getattr(steps, f"applicable_{applies}") > 0).all()
    assert not steps.violated_3.any()
    assert not steps.violated_4.any()
