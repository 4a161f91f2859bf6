"""E02: the index policies that were followed to long horizons have the law predicted for them."""

import numpy as np

from penalized_bandits.claims.base import Claim, Finding, Part
from penalized_bandits.claims.beyond.best import followed, long_series
from penalized_bandits.claims.beyond.evidence import ExtendedEvidence
from penalized_bandits.claims.beyond.predicted import limits_of, long_track
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.measures.fluid_law import RULE, Track, agreement, said_of_rivals


def _measure(evidence: Evidence) -> Finding:
    assert isinstance(evidence, ExtendedEvidence)  # noqa: S101
    parts: list[Part] = []
    tracks: list[Track] = []
    unknown: list[str] = []
    for policy in followed(evidence):
        for case, runs in long_series(evidence, policy).items():
            track = long_track(evidence, policy, case, runs)
            if track is None:
                unknown.append(policy)
                continue
            limits = limits_of(evidence, policy, runs[0])
            linear = limits.linear > 0
            scale = 1 / (track.horizons if linear else np.log(track.horizons))
            parts.append(agreement(track, scale, limits.linear if linear else limits.log))
            if not linear:
                tracks.append(track)
    silent = ", ".join(dict.fromkeys(unknown))
    return Finding(
        "mean regret over its fluid prediction",
        tuple(parts),
        note="The numbers are R(T)/log T, or R(T)/T where the law is linear: for the soft "
        "threshold on a bandit with an arm of 0 < Δ_k < A_k. The prediction leaves out noise, "
        "which takes a share 1/(2 log T) of the pulls of policies that explore no more than noise "
        "asks for (KL, scaled): 4 % at T = 100,000. "
        + said_of_rivals(tracks)
        + (f" No prediction is known, and nothing said, of {silent}." if silent else ""),
    )


CLAIM = Claim(
    where="beyond the paper",
    statement="The index policies of the long runs have the law of their fluid prediction: regret "
    "of those with a hard threshold grows like log T, of the soft threshold linearly wherever an "
    "arm has 0 < Δ_k < A_k.",
    rule="For each policy with a fluid prediction and each case, from T = 4,000 on, each horizon "
    f"on random numbers of its own, mean regret over the prediction: {RULE}",
    measure=_measure,
)
