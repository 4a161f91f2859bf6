"use strict";

// What the theory says of one bandit, as the package's theory/fluid.py, limits.py, lower_bound.py,
// exploration.py and bandit/frontier.py compute it; a test compares the two.
// A bandit is {means, fairness, penalties}, arrays of length K; t is the horizon T.
const Theory = (() => {
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const gapsOf = (means) => {
    const best = Math.max(...means);
    const tied = 8 * Number.EPSILON * Math.max(...means.map(Math.abs));
    return means.map((mean) => (best - mean <= tied ? 0 : best - mean));
  };
  /** A_k - Delta_k, 0 where it is rounding alone (bandit/instances.py). */
  const marginsOf = ({ means, penalties }) => {
    const largest = Math.max(...means.map(Math.abs));
    return gapsOf(means).map((gap, k) => {
      const margin = penalties[k] - gap;
      return Math.abs(margin) <= 8 * Number.EPSILON * Math.max(largest, penalties[k]) ? 0 : margin;
    });
  };
  /** (Delta_k - A'_k)_+, where A'_k is A_k, or 0 where tau_k is. */
  const excessesOf = (bandit) => {
    const gaps = gapsOf(bandit.means);
    return marginsOf(bandit).map((margin, k) => Math.max(bandit.fairness[k] > 0 ? -margin : gaps[k], 0));
  };
  const over = (top, bottom) => (bottom > 0 ? top / bottom : Infinity);
  /** a log(a / b), 0 where a is. */
  const relative = (a, b) => (a === 0 ? 0 : b === 0 ? Infinity : a * Math.log(a / b));
  /** Two numbers as near as they get: up to the one something holds, from the other on not. */
  const bisected = (low, high, holds) => {
    const ends = [low, high];
    for (let i = 0; i < 80; i += 1) {
      const middle = (ends[0] + ends[1]) / 2;
      if (middle <= ends[0] || middle >= ends[1]) break;
      ends[holds(middle) ? 0 : 1] = middle;
    }
    return ends;
  };

  // --- How index policies explore: pulls at which a bound is so much above the mean

  /** The radius sqrt(c log T/N): eq. (11) with c = 2. */
  const rootLog = (c) => ({
    pulls: (height, mean, t) => over(c * Math.log(t), Math.max(height, 0) ** 2),
    width: (n, t) => Math.sqrt((c * Math.log(t)) / n),
  });
  /** KL-UCB: N kl(mu, mu + height) = log T + c log log T; limits are taken of log T alone. */
  const bernoulliKl = (logLog = 0) => {
    const level = (t) => Math.log(t) + logLog * Math.log(Math.max(Math.log(t), 1));
    return {
      pulls: (height, mean, t) => {
        const m = Math.min(Math.max(mean, 0), 1);
        const target = m + Math.max(height, 0);
        if (target > 1) return 0;
        return over(level(t), relative(m, target) + relative(1 - m, 1 - target));
      },
      width: (n, t) => Math.sqrt(level(t) / (2 * n)), // Pinsker
      leading: logLog > 0 ? bernoulliKl() : null,
    };
  };
  /** The variance of a reward of each arm (RewardFamily.variances); null if it is infinite. */
  const variancesOf = (law, means) => {
    const found = means.map((mean, k) => familyOf(law).variance(mean, law, k));
    return found.every(Number.isFinite) ? found : null;
  };
  /** Unknown variance: s sqrt(T^(2/N) - 1). */
  const unknownVariance = (v) => ({
    pulls: (height, mean, t, k) =>
      over(2 * Math.log(t), Math.log1p(Math.max(height, 0) ** 2 / Math.max(v[k], 1e-300))),
    width: (n, t) => Math.sqrt(Math.max(...v) * Math.expm1(Math.min((2 * Math.log(t)) / n, 600))),
  });
  /** UCB-V: sqrt(2 v log T/N) + 3 log T/N. */
  const empiricalVariance = (v) => ({
    pulls: (height, mean, t, k) => {
      const x = (Math.sqrt(2 * v[k] + 12 * Math.max(height, 0)) - Math.sqrt(2 * v[k])) / 6;
      return over(Math.log(t), x * x);
    },
    width: (n, t) => Math.sqrt((2 * Math.max(...v) * Math.log(t)) / n) + (3 * Math.log(t)) / n,
  });
  const radius = ({ exploration }, noise) => {
    const c = exploration(noise);
    return c > 0 ? rootLog(c) : null;
  };
  const BOUNDS = {
    radius,
    soft_radius: radius,
    kl: () => bernoulliKl(),
    kl_loglog: () => bernoulliKl(3),
    // These depend on the whole law of the rewards, which nothing here is given.
    empirical_kl: () => null,
    empirical_kl_log: () => null,
    empirical_variance: (policy, noise, variances) => variances && empiricalVariance(variances),
    unknown_variance: (policy, noise, variances) => variances && unknownVariance(variances),
  };
  const policyOf = (id) => POLICIES.find((policy) => policy.id === id);
  /** How a policy explores, with this noise and these variances; null if no prediction is known. */
  const explorationOf = (id, noise, variances) => {
    const policy = policyOf(id);
    if (policy.bound === null || policy.ignoresPenalties) return null;
    return BOUNDS[policy.bound](policy, noise, variances);
  };
  const isSoft = (id) => policyOf(id).bound === "soft_radius";

  // --- The fluid prediction (theory/fluid.py)

  /** Largest N <= level whose index with the bonus A (1 - N/level) is at the common height. */
  const softlyUrged = (rule, height, mean, rate, level, t, k) => {
    // Not by ``bisected``: this is worked out so often that the calls would be felt.
    let [low, high] = [0, level];
    for (let i = 0; i < 60 && high - low > 1e-13 * high; i += 1) {
      const middle = (low + high) / 2;
      if (rule.pulls(height - rate * (1 - middle / level), mean, t, k) >= middle) low = middle;
      else high = middle;
    }
    return low;
  };

  const pullsAt = (above, bandit, t, rule, soft) => {
    const gaps = gapsOf(bandit.means);
    return bandit.means.map((mean, k) => {
      const level = bandit.fairness[k] * t;
      const rate = bandit.penalties[k];
      const height = above + gaps[k];
      const urged = soft
        ? softlyUrged(rule, height, mean, rate, level, t, k)
        : Math.min(rule.pulls(height - rate, mean, t, k), level);
      return Math.min(Math.max(urged, rule.pulls(height, mean, t, k), 1), t);
    });
  };

  /** How far all indices are above the best mean: the root of sum N_k = T. */
  const commonHeight = (bandit, t, rule, soft) => {
    const most = Math.max(...bandit.penalties) + rule.width(t / bandit.means.length, t) * (1 + 1e-9);
    return bisected(0, most, (above) => sum(pullsAt(above, bandit, t, rule, soft)) > t)[1];
  };
  /** N_k(T) where all indices are level. */
  const predictedPulls = (bandit, t, rule, soft) =>
    pullsAt(commonHeight(bandit, t, rule, soft), bandit, t, rule, soft);

  /** Penalty rate, common to all arms, at which arm k comes to its level (``break_point``). */
  const breakPoint = (means, fairness, k, t, rule) => {
    const gap = gapsOf(means)[k];
    if (fairness[k] * t <= 1) return 0;
    const radius = rule.width(fairness[k] * t, t);
    const excess = (rate) => {
      const bandit = { means, fairness, penalties: means.map(() => rate) };
      return commonHeight(bandit, t, rule, false) - rate + gap - radius;
    };
    if (excess(0) <= 0) return 0;
    const most = Math.max(...gapsOf(means)) + rule.width(1, t) + 1;
    return excess(most) > 0 ? Infinity : bisected(0, most, (rate) => excess(rate) > 0)[1];
  };

  // --- Penalized regret (eqs. 5, 9, 10), arm by arm

  /** What arm k costs beyond the least loss: [for pulls, for its missed share]. */
  const costOf = (pulls, level, gap, rate) => {
    const short = Math.max(level - pulls, 0);
    if (rate > gap) return [gap * Math.max(pulls - level, 0), (rate - gap) * short];
    return [gap * pulls - rate * Math.min(pulls, level), 0];
  };
  const regretOf = (pulls, bandit, t) => {
    const gaps = gapsOf(bandit.means);
    return sum(
      Array.from(pulls, (n, k) => sum(costOf(n, bandit.fairness[k] * t, gaps[k], bandit.penalties[k]))),
    );
  };

  // --- Limits and the instance lower bound (theory/limits.py, theory/lower_bound.py)

  /** Limit of R(T)/log T under a hard threshold. */
  const logConstant = (bandit, rule) => {
    const { pulls } = rule.leading ?? rule;
    const margins = excessesOf(bandit);
    return sum(
      bandit.means.map((mean, k) => {
        const margin = margins[k];
        return margin > 0 ? (margin * pulls(margin, mean, 1e6, k)) / Math.log(1e6) : 0;
      }),
    );
  };

  /** log Gamma(x), x > 0, by Stirling's series from 15 on. */
  const logGamma = (x) => {
    let shift = 0;
    let z = x;
    for (; z < 15; z += 1) shift += Math.log(z);
    const s = 1 / (z * z);
    const series = (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / z;
    return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
  };
  /** Its derivative. */
  const digamma = (x) => {
    let shift = 0;
    let z = x;
    for (; z < 15; z += 1) shift += 1 / z;
    const s = 1 / (z * z);
    const series = s * (1 / 12 - s * (1 / 120 - s * (1 / 252 - s * (1 / 240 - s / 132))));
    return Math.log(z) - 1 / (2 * z) - series - shift;
  };
  /** log B(x, 1 - x). */
  const logBeta = (x) => logGamma(x) + logGamma(1 - x);

  /** Least KL from a law on a finite support to one of at least this mean (Honda, Takemura 2010). */
  const leastDivergence = (support, probabilities, mean) => {
    const own = sum(support.map((x, i) => x * probabilities[i]));
    if (own >= mean) return 0;
    const room = Math.max(...support) - mean;
    if (room <= 0) return Infinity;
    const inside = (share) => support.map((x) => 1 - (share / room) * (x - mean));
    // The dual is concave: its slope has one change of sign.
    const slope = (share) => {
      const at = inside(share);
      return sum(support.map((x, i) => (probabilities[i] > 0 ? (-probabilities[i] * (x - mean)) / at[i] : 0)));
    };
    const at = inside(bisected(0, 1, (share) => slope(share) > 0)[0]);
    return Math.max(sum(probabilities.map((p, i) => (p > 0 ? p * Math.log(at[i]) : 0))), 0);
  };

  /** KL from arm k's law to the law of its family with the mean ``target``; null if not known. */
  const divergence = (law, k, mean, target) => {
    if (law.id === "gaussian") return (target - mean) ** 2 / (2 * law.sd ** 2);
    if (law.id === "bernoulli") return relative(mean, target) + relative(1 - mean, 1 - target);
    if (law.id === "beta") {
      return logBeta(target) - logBeta(mean) + (mean - target) * (digamma(mean) - digamma(1 - mean));
    }
    if (law.id === "categorical") return leastDivergence(law.support, law.probabilities[k], target);
    return null;
  };

  /** What must be lost up to a horizon: of no arm more pulls than its level (T where it has none);
   *  null if the divergence of the law is not known. */
  const lowerBound = (bandit, law, t) => {
    const best = Math.max(...bandit.means);
    const margins = excessesOf(bandit);
    const found = bandit.means.map((mean, k) => {
      const tau = bandit.fairness[k];
      const saved = tau > 0 ? bandit.penalties[k] : 0;
      const margin = margins[k];
      if (margin <= 0) return 0;
      const apart = divergence(law, k, mean, best - saved);
      return apart === null ? null : margin * Math.min(Math.log(t) / apart, (tau > 0 ? tau : 1) * t);
    });
    return found.includes(null) ? null : sum(found);
  };

  // --- The oracle frontier (bandit/frontier.py)

  /** Corners [unfairness, reward] of the most reward at a given unfairness over t rounds. */
  const frontierOf = (bandit, t) => {
    const gaps = gapsOf(bandit.means);
    const level = bandit.fairness.map((tau) => tau * t);
    let unfair = 0;
    let reward = t * Math.max(...bandit.means) - sum(gaps.map((gap, k) => gap * level[k]));
    const corners = [[unfair, reward]];
    const order = gaps.map((_, k) => k).sort((a, b) => gaps[b] - gaps[a] || a - b);
    for (const k of order) {
      unfair += level[k];
      reward += level[k] * gaps[k];
      corners.push([unfair, reward]);
    }
    return corners;
  };

  return {
    gapsOf, variancesOf, explorationOf, isSoft, predictedPulls, breakPoint,
    marginsOf, costOf, regretOf, logConstant, lowerBound, frontierOf,
  };
})();
