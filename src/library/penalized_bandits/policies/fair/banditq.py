"""BanditQ: virtual queues of revenue in front of a bandit policy for adversarial rewards.

    Q_k <- max(Q_k + tau_k m_k - X 1{k pulled}, 0)
    Y_k <- Y_k + (Q_k + V) X / x_k  for the arm pulled, whose reward was X
    p   =  the point of the simplex with the largest  sum log p_k + eta sum Y_k p_k
    draw the arm from  x = (1 - g) p + g / K,    g = min(1/2, sqrt(K / t))

    eta = K / S;  S begins at 1 and grows by the largest  y (q - p) - D(q, p) / eta  over q in
    the simplex, y the round's increase of Y and D(q, p) = sum q_k / p_k - 1 - log(q_k / p_k)

t counts the rounds since each arm was pulled once.  Source: Sinha, UAI 2024 (arXiv 2304.05219),
with his public code, whose queue is updated before it weighs the reward (in the paper after); the
policy behind the queues is that of Putta and Agrawal (ALT 2022), which needs no scale of the
rewards.  His theorem has V = sqrt(T).

Adapted here: his floors are numbers lambda_k of reward a round that each arm is to earn; here a
share of pulls is to be kept, tau_k, which is worth tau_k mu_k, and m_k stands for mu_k.
"""

import math

from penalized_bandits.common.typing import FloatArray
from penalized_bandits.policies.base import Card, Hints, Policy, Round, Tuning
from penalized_bandits.policies.fair.revenue_floors import drawn_from

QUEUE, WEIGHED, POINT, SHARE, OBSERVED, TOTAL, SCALE, DRAWN, CHANCE = range(9)
"""Rows of the memory: Q, Y, p and x; the rewards seen before and their sums; S; draws whose rewards
are late, and the x_k of these draws (of several the harmonic mean, as a reward may be of any)."""


def regularized_leader(scores: FloatArray) -> FloatArray:
    """Return the p of the simplex with the largest sum log p_k + sum scores_k p_k.

    p_k = 1 / (s - scores_k), with the s at which they sum to 1.  The sum is convex in s and
    at least 1 where this begins, so Newton's steps never pass the root.
    """
    behind, s = scores.max() - scores, 1.0
    for _ in range(100):
        excess, slope = -1.0, 0.0
        for distance in behind:
            part = 1.0 / (s + distance)
            excess += part
            slope += part * part
        if excess <= 1e-13:
            break
        s += excess / slope
    return 1.0 / (s + behind)


def learn(state: Round) -> None:
    """Take the new rewards: move the queues, and all that `weigh` moves arm by arm."""
    memory, rewards = state.memory, state.observed * state.means - state.memory[TOTAL]
    for k in range(len(rewards)):
        queue = memory[QUEUE, k] + state.fairness[k] * state.means[k]
        queue -= rewards[k] if state.observed[k] > memory[OBSERVED, k] else 0.0
        memory[QUEUE, k] = max(queue, 0.0)
    for k in range(len(rewards)):
        if state.observed[k] > memory[OBSERVED, k]:
            weigh(memory, k, rewards[k], state.tuning)
            left = memory[DRAWN, k] - (state.observed[k] - memory[OBSERVED, k])
            memory[DRAWN, k] = max(left, 0.0)


def weigh(memory: FloatArray, pulled: int, reward: float, tuning: float) -> None:
    """Take a reward of an arm: move its weighed sum, S and the point p."""
    n_arms, point = memory.shape[1], memory[POINT]
    eta, scores = n_arms / memory[SCALE, 0], -1.0 / point
    # An arm that was pulled in turn, while others had no reward yet, had the share 1 / K.
    chance = memory[CHANCE, pulled] if memory[DRAWN, pulled] > 0.0 else 1.0 / n_arms
    gained = (memory[QUEUE, pulled] + tuning) * reward / chance
    memory[WEIGHED, pulled] += gained
    scores[pulled] += eta * gained
    other = regularized_leader(scores)
    growth = gained * (other[pulled] - point[pulled])
    for ratio in other / point:
        growth -= (ratio - 1.0 - math.log(ratio)) / eta
    memory[SCALE, 0] += max(growth, 0.0)
    memory[POINT] = regularized_leader(n_arms / memory[SCALE, 0] * memory[WEIGHED])


def choose(state: Round) -> int:
    """Learn from the new rewards, of each arm those since the last round, and draw an arm."""
    n_arms, memory = len(state.pulls), state.memory
    if memory[SCALE, 0] == 0.0:  # the first round that needs it
        memory[POINT] = 1.0 / n_arms
        memory[SCALE, 0] = 1.0
    else:
        learn(state)
    t = state.n - n_arms
    equal = min(0.5, math.sqrt(n_arms / (t - 1))) if t > 1 else 0.5
    memory[OBSERVED] = state.observed
    memory[TOTAL] = state.observed * state.means
    memory[SHARE] = (1.0 - equal) * memory[POINT] + equal / n_arms
    arm = drawn_from(memory[SHARE], state.noise[0])
    before, chance = memory[DRAWN, arm], memory[SHARE, arm]
    if before > 0.0:
        chance = (before + 1.0) / (before / memory[CHANCE, arm] + 1.0 / chance)
    memory[DRAWN, arm], memory[CHANCE, arm] = before + 1.0, chance
    return arm


POLICY = Policy(
    id="banditq",
    card=Card(
        label="BanditQ",
        reference="Sinha 2024; floors of τ_k m_k ours",
        formula="k with probability x_k, of a policy for adversarial rewards that sees (Q_k + V) "
        "X; Q_k gains τ_k m_k a round, loses X a pull",
        guarantees="none known: his O((K T)^(3/4)), but for logarithms, is for floors given in "
        "advance",
        limitations="knows no penalties; a policy for adversarial rewards learns slowly where "
        "they are not",
    ),
    choose=choose,
    memory=9,
    shares_memory=True,
    exploration=0.0,
    draws="uniform",
    ignores_penalties=True,
    tuning=Tuning(symbol="V", regret=lambda arms, horizon: math.sqrt(horizon)),  # noqa: ARG005
    hints=Hints(compiles=True),
)
