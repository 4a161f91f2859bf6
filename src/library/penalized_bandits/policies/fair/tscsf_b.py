"""TSCSF-B: Thompson sampling with virtual queues.

    theta_k ~ Beta(1 + S_k, 1 + N_k - S_k),    S_k the sum of the rewards of arm k
    pull the arm with the largest  eta theta_k + Q_k
    Q_k <- max(Q_k + tau_k - 1{k pulled}, 0)

Source: Huang, Xu, Hu, Wang and Pan, "Thompson sampling for combinatorial semi-bandits with
sleeping arms and long-term fairness constraints" (arXiv 2005.06725), for one pull a round and
arms that never sleep, with all weights 1.  It is LFG with a sample in place of the bound; samples
are those of ``thompson_beta``, rewards between 0 and 1 included.
"""

from dataclasses import replace

from penalized_bandits.policies.base import Arm, Card, Policy
from penalized_bandits.policies.classical import thompson_beta
from penalized_bandits.policies.paper import lfg


def index(arm: Arm) -> float:
    """Queue plus eta times a sample from the posterior of the mean."""
    return arm.queue + arm.tuning * thompson_beta.sample(arm)


assert lfg.POLICY.tuning is not None  # noqa: S101
POLICY = Policy(
    id="tscsf_b",
    card=Card(
        label="TSCSF-B",
        reference="Huang, Xu, Hu, Wang and Pan 2020",
        formula="max Q_k + η θ_k, θ_k ~ Beta(1 + S_k, 1 + N_k - S_k); Q_k gains τ_k a round, "
        "loses 1 a pull",
        guarantees="Bernoulli rewards: long-run fractions kept; reward within O(K T/η + √(K T log "
        "T)) of the best that keeps them",
        limitations="knows no penalties; queues, and so shortfalls, grow with η; rewards outside "
        "[0, 1]",
    ),
    needs_unit_rewards=True,
    index=index,
    served=lfg.served,
    draws="uniform",
    exploration=0.0,
    ignores_penalties=True,
    tuning=replace(lfg.POLICY.tuning, symbol="η"),
)
