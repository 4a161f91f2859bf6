"""Claims on intervals of users who look at any time, the usual ones and ours."""

import numpy as np

from penalized_bandits.statistics import estimates
from penalized_bandits.statistics.anytime import beta_interval
from penalized_replication.claims.base import Evidence, Measured, claim
from penalized_replication.claims.measures.peeking import (
    ALPHA,
    LEAST,
    Paths,
    covers_ours,
    covers_usual,
    every_path,
    first_significant,
    half_width,
)
from penalized_replication.claims.parts import Fields, above, below, frequency, irrelevant
from penalized_replication.claims.parts import about as about_outcome

STUDY, LOOKS = "peeking", "peeking_looks"
THOMPSON = "thompson_floors"
MOST_RUNS, TWO_ARMS = 0.5, 1 - 2 * ALPHA
EXCESS, PRICE = 1.5, 2.1
NEAR, FAIR = 0.1, 0.3
"""The largest spread of means of a pair that is near; the least total of floors that is large."""
WIDTHS = 400
"""Replicates in which widths are measured."""
USUAL, OURS = "usual intervals", "beta mixture"

WHERE = "not in the paper; intervals that hold at every moment"


def about(paths: Paths, quantity: str = "", **values: float) -> Fields:
    """Return the fields of a part about paths; its bandit and floors for the figure."""
    info = paths.last.info
    known = {"bandit": info.group, "floors": info.total_fairness} | values
    return about_outcome(paths.last) | {"values": known, "quantity": quantity}


@claim(
    "S24",
    where=WHERE,
    statement="The usual 95 % t-intervals of three arms, looked at after each reward from the "
    f"{LEAST}th on, miss some mean at some time in most runs, whatever the policy and the floors.",
    rule="For each policy, bandit and total of floors: the share of runs in which the interval of "
    f"some arm misses its mean at some time holds if above {MOST_RUNS:g} with its 95 % interval, "
    "fails if below.",
    quantity="runs in which a usual 95 % interval misses a mean at some time",
    plain="Looking at ordinary 95 % intervals day after day, one sees at least one of them wrong "
    "in most experiments.",
)
def usual_misses(evidence: Evidence) -> Measured:
    every = every_path(evidence, STUDY)
    for paths in every:
        yield frequency(paths.missed[:, 0], least=MOST_RUNS, **about(paths))
    yield {"divided": [float(paths.missed[:, 1].mean()) for paths in every]}


@claim(
    "S25",
    where=WHERE,
    statement="The 95 % intervals of Robbins' beta mixture, looked at after each reward, miss "
    "some mean at some time in at most 5 % of runs, whatever the policy and the floors.",
    rule="For each policy, bandit and total of floors: the share of runs in which the interval of "
    f"some arm misses its mean at some time holds if below {ALPHA:g} with its 95 % interval, fails "
    "if above.",
    quantity="runs in which a beta mixture's 95 % interval misses a mean at some time",
    kind="theorem",
)
def ours_misses(evidence: Evidence) -> Measured:
    for paths in every_path(evidence, STUDY):
        yield frequency(paths.missed[:, 2], most=ALPHA, **about(paths))


@claim(
    "S26",
    where=WHERE,
    statement="At the first look at which Welch's test of two arms has p < 0.05, the usual 95 % "
    f"intervals of both cover in less than {100 * TWO_ARMS:g} % of runs, the promise of two, if "
    f"means are within {NEAR:g} of each other; those of the beta mixture in more than 95 %.",
    rule="For each policy, bandit with such means and total of floors, of the runs with p < 0.05 "
    f"at some look, from {LEAST} rewards of both arms on: the share in which both intervals cover "
    f"at the first such look holds if below {TWO_ARMS:g} with its 95 % interval and fails if "
    f"above; for the beta mixture it holds if above {1 - ALPHA:g} and fails if below.",
    quantity="runs in which both intervals cover at the first significant look",
)
def at_first_significant(evidence: Evidence) -> Measured:
    for paths in every_path(evidence, LOOKS):
        runs, look, pair = first_significant(paths)
        if np.ptp(paths.means) > NEAR + 1e-9 or not runs.size:
            continue
        n, s = (x[runs[:, None], look[:, None], pair] for x in (paths.pulls, paths.sums))
        usual = covers_usual(n, s, paths.means[pair], ALPHA)
        ours = covers_ours(n, s, paths.means[pair], ALPHA / paths.means.size)
        yield frequency(np.all(usual, axis=1), most=TWO_ARMS, **about(paths, quantity=USUAL))
        yield frequency(np.all(ours, axis=1), least=1 - ALPHA, **about(paths, quantity=OURS))


@claim(
    "S27",
    where=WHERE,
    statement="If means are equal, the usual 95 % interval at a fixed T misses more than "
    f"{EXCESS:g} times as often as promised under Thompson sampling without floors, and less often "
    f"than that with floors of {100 * FAIR:g} % of the rounds or more.",
    rule="For each bandit with equal means and each total of floors, under Thompson sampling: the "
    f"mean share of arms missed at T, over 5 %, holds without floors if above {EXCESS:g} with its "
    f"95 % interval and fails if below; with floors from {100 * FAIR:g} % on the other way round. "
    "Nothing is said of other policies, bandits and floors.",
    quantity="share of arms that a usual 95 % interval misses at T, over 5 %",
)
def at_fixed_time(evidence: Evidence) -> Measured:
    for paths in every_path(evidence, STUDY):
        covered = covers_usual(paths.pulls[:, -1], paths.sums[:, -1], paths.means, ALPHA)
        missed = estimates.mean_estimate(1 - np.mean(covered, axis=1)) / ALPHA
        floors = paths.last.info.total_fairness
        decided = above if floors == 0 else below
        part = decided(missed.interval, EXCESS, **about(paths))
        said = paths.last.policy == THOMPSON and np.ptp(paths.means) == 0
        if not said or 0 < floors < FAIR:
            part = irrelevant(part, "nothing is said of it")
        yield part


@claim(
    "S28",
    where=WHERE,
    statement="The beta mixture's intervals, for all times and all of three arms, are at most "
    f"{PRICE:g} times as wide at T as the usual one, for one time and one arm.",
    rule="For each policy, bandit and total of floors, at T, among the first "
    f"{WIDTHS} runs in those with {LEAST} rewards or more of each arm: the ratio of mean widths, "
    f"arms together, holds if below {PRICE:g} with its 95 % interval, fails if above.",
    quantity="mean width of the beta mixture's intervals over that of the usual ones at T",
)
def price(evidence: Evidence) -> Measured:
    for paths in every_path(evidence, STUDY):
        n, s = paths.pulls[:WIDTHS, -1], paths.sums[:WIDTHS, -1]
        seen = (n >= LEAST).all(axis=1)
        if seen.sum() > 1:
            usual = 2 * half_width(n[seen], s[seen], ALPHA)
            ours = np.ptp(beta_interval(n[seen], s[seen], ALPHA / paths.means.size), axis=-1)
            ratio = estimates.ratio_of_means(ours.mean(axis=1), usual.mean(axis=1))
            widest = float(ours.max(axis=1).mean())
            yield below(ratio.interval, PRICE, **about(paths, widest=widest))
