// One replicate of a policy on a bandit, as the page plays it.

const UNPULLED_ROOT = 1e308;
const NOISE_STREAM = "noise of the policy";
// The laws: their numbers (least and usual values), the sigma of which rewards are sub-Gaussian, and
// the variance of those of arm k: bandit/rewards.py.
const REWARD_LAWS = [
  {
    id: "bernoulli", label: "Bernoulli", parameters: [], sigma: () => 0.5,
    variance: (mean) => mean * (1 - mean),
  },
  {
    id: "gaussian", label: "Gaussian", sigma: ({ sd }) => sd,
    parameters: [{ name: "sd", label: "Standard deviation", least: 0, value: 0.2 }],
    variance: (mean, { sd }) => sd * sd,
  },
  {
    id: "beta", label: "Beta(μ, 1 − μ)", parameters: [], sigma: () => 0.5,
    variance: (mean) => (mean * (1 - mean)) / 2,
  },
  {
    id: "categorical", label: "Few values", parameters: [],
    sigma: ({ support }) => (Math.max(...support) - Math.min(...support)) / 2,
    variance: (mean, { support, probabilities }, k) =>
      support.reduce((sum, x, j) => sum + probabilities[k][j] * (x - mean) ** 2, 0),
  },
  {
    id: "heavy_tailed", label: "Heavy-tailed", sigma: () => Infinity,
    parameters: [
      { name: "scale", label: "Scale", least: 0, value: 0.1 },
      { name: "tail", label: "Tail index", least: 1.05, value: 2.5 },
    ],
    variance: () => Infinity,
  },
  {
    id: "deterministic", label: "Deterministic", parameters: [], sigma: () => 0,
    variance: () => 0,
  },
];
const familyOf = ({ id }) => {
  const family = REWARD_LAWS.find((one) => one.id === id);
  if (!family) throw new Error(`${id} rewards are not among REWARD_LAWS.`);
  return family;
};
const sigmaOf = (law) => familyOf(law).sigma(law);

// The reward of arm k's next pull; its tape moves on by one word.
function nextReward(sim, k) {
  const { law, tape } = sim;
  add(tape.high[k], tape.low[k], WEYL_HIGH, WEYL_LOW);
  tape.high[k] = WORD[0];
  tape.low[k] = WORD[1];
  mix(WORD[0], WORD[1]);
  const mean = sim.expected[k];
  switch (law.id) {
    case "gaussian": return mean + law.sd * normal();
    case "bernoulli": return unit() < mean ? 1 : 0;
    case "beta": return beta(mean);
    case "categorical": return categorical(law.cumulative[k], law.support);
    case "heavy_tailed": return mean + law.scale * heavyTailed(law.tail);
    case "deterministic": return mean;
    default: throw new Error(`nextReward has no case for ${law.id} rewards.`);
  }
}

function setLaw(sim, law) {
  sim.law = { ...law, cumulative: (law.probabilities ?? []).map(cumulativeOf) };
}

// The policy's own number of each arm in round n: draws.noise_number and uniform_number.
function drawNoise(sim, n) {
  const { high, low } = sim.noiseKeys;
  for (let k = 0; k < sim.nArms; k += 1) {
    addTimes(high[k], low[k], n, WEYL_HIGH, WEYL_LOW);
    mix(WORD[0], WORD[1]);
    sim.noise[k] = sim.uniform ? unit() : sim.noiseSd * normal();
  }
}

// Whether an index is the mean and what is added to it: it is the mean where all else is 0.
function isSum(index) {
  return Math.abs(index(100, 0.375, 0, 10, 10, false, 0.2, 0, 0, 3, 0, 0, 0) - 0.375) < 1e-9;
}

class Simulation {
  // Rounds of one replicate, of arguments that the page has checked.  The law is
  // {id, sd | scale, tail | support, probabilities}.  Without experiment and instance the random
  // numbers are those of simulate(...) without a stream.
  constructor({
    policy, means, fairness, penalties, law, tuning, horizon, seed, experiment, instance,
    replicate = 0,
  }) {
    const rule = POLICIES.find((one) => one.id === policy);
    const nArms = means.length;
    this.policy = rule;
    this.nArms = nArms;
    this.expected = Float64Array.from(means);
    this.fairness = Float64Array.from(fairness);
    this.penalties = rule.ignoresPenalties ? new Float64Array(nArms) : Float64Array.from(penalties);
    setLaw(this, law);
    this.horizon = horizon;
    this.tuning = rule.tuning ? tuning ?? rule.tuning.value(nArms, horizon) : 0;
    this.exploration = rule.exploration(sigmaOf(law));
    if (!Number.isFinite(this.exploration)) {
      throw new Error(`${rule.label} must be told the noise, but ${law.id} rewards are not sub-Gaussian.`);
    }
    this.scheduled = rule.commits ? this.tuning * nArms : rule.firstPulls ? nArms : 0;
    const names = [experiment, instance].filter((name) => name != null);
    this.tape = armKeys(seed, names, replicate, nArms);
    this.noiseKeys = armKeys(seed, [...names, NOISE_STREAM], replicate, nArms);
    this.uniform = typeof rule.draws === "string"; // "uniform" or "floors"
    this.noiseSd = Math.sqrt(0.5 * this.exploration);
    this.noise = new Float64Array(nArms);
    this.variances = new Float64Array(nArms).fill(Infinity);
    this.log = new Float64Array(3);

    this.n = 0;
    this.last = -1;
    this.pulls = new Float64Array(nArms);
    this.sums = new Float64Array(nArms);
    this.means = new Float64Array(nArms).fill(Infinity);
    this.roots = new Float64Array(nArms).fill(UNPULLED_ROOT);
    this.levels = new Float64Array(nArms);
    this.since = new Float64Array(nArms).fill(rule.firstPulls ? 0 : -1);
    this.round = {
      n: 1, pulls: this.pulls, observed: this.pulls, means: this.means, fairness: this.fairness,
      penalties: this.penalties, tuning: this.tuning, exploration: this.exploration, log: 0,
      noise: this.noise, bonuses: new Float64Array(nArms), delays: new Float64Array(nArms),
      memory: Array.from({ length: rule.memory }, () => new Float64Array(nArms)),
    };
  }

  // Plays so many more rounds, or up to the horizon.
  run(rounds) {
    const more = Math.min(rounds, this.horizon - this.n);
    if (more > 0) this.policy.play(this, more);
  }

  // What the index of arm k is made of in the next round: parts are null where it is no sum of
  // mean, penalty and what is added for exploration, all of it where there is no index.
  parts(k) {
    const n = this.n + 1;
    const { index, urgency, draws } = this.policy;
    const mean = this.means[k];
    if (!index || n <= this.scheduled) {
      return { mean, penalty: null, radius: null, index: null, urgent: false };
    }
    if (draws) drawNoise(this, n);
    const tau = this.fairness[k];
    const pulls = this.pulls[k];
    const log = logOfRound(n, new Float64Array(3));
    const radius = Math.sqrt(this.exploration * log) * this.roots[k];
    const queue = this.levels[k] + this.fairness[k] * (n - 1 - this.since[k]);
    const score = (formula, penalty) => formula(n, mean, radius, pulls, pulls, pulls < tau * n,
      tau, penalty, queue, this.tuning, this.noise[k], this.variances[k], pulls < tau * n ? penalty : 0);
    const value = score(index, this.penalties[k]);
    const without = score(index, 0);
    const sum = isSum(index);
    return {
      mean,
      penalty: sum ? value - without : null,
      radius: sum ? without - mean : null,
      index: value,
      urgent: score(urgency, this.penalties[k]) > -Infinity,
    };
  }
}
