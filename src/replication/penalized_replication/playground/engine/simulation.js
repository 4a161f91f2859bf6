// One replicate of a policy on a bandit, as the page plays it.

const LARGEST = 1e12;
const UNPULLED_ROOT = 1e308;
const NOISE_STREAM = "noise of the policy";
// The laws, each with its numbers (their least and usual values) and the sigma of which they are
// sub-Gaussian: bandit/rewards.py.
const REWARD_LAWS = [
  { id: "bernoulli", label: "Bernoulli", parameters: [], sigma: () => 0.5 },
  {
    id: "gaussian", label: "Gaussian", sigma: ({ sd }) => sd,
    parameters: [{ name: "sd", label: "Standard deviation", least: 0, value: 0.2 }],
  },
  { id: "beta", label: "Beta(μ, 1 − μ)", parameters: [], sigma: () => 0.5 },
  {
    id: "categorical", label: "Few values", parameters: [],
    sigma: ({ support }) => (Math.max(...support) - Math.min(...support)) / 2,
  },
  {
    id: "heavy_tailed", label: "Heavy-tailed", sigma: () => Infinity,
    parameters: [
      { name: "scale", label: "Scale", least: 0, value: 0.1 },
      { name: "tail", label: "Tail index", least: 1.05, value: 2.5 },
    ],
  },
  { id: "deterministic", label: "Deterministic", parameters: [], sigma: () => 0 },
];
const sigmaOf = (law) => REWARD_LAWS.find(({ id }) => id === law.id).sigma(law);
const FAMILIES = ["gaussian", "bernoulli", "beta", "categorical", "deterministic", "heavy_tailed"];

function refuse(message) {
  throw new Error(message);
}

function finite(name, value, least = -LARGEST, most = LARGEST) {
  if (typeof value !== "number" || !(value >= least && value <= most)) {
    refuse(`${name} is ${value}: it must be a number from ${least} to ${most}.`);
  }
  return value;
}

function whole(name, value, least, most = Number.MAX_SAFE_INTEGER) {
  if (!Number.isInteger(value) || value < least || value > most) {
    refuse(`${name} is ${value}: it must be a whole number from ${least} to ${most}.`);
  }
  return value;
}

// One number for each arm, from as many or from one for all.
function vector(name, values, nArms, least, most) {
  const list = typeof values === "number" ? Array(nArms).fill(values) : [...values ?? []];
  if (list.length !== nArms) {
    refuse(`${name} has ${list.length} values, but there are ${nArms} arms.`);
  }
  const checked = (value, k) => finite(`${name} of arm ${k + 1}`, value, least, most);
  return Float64Array.from(list, checked);
}

// The reward law, checked: bandit/rewards.py.
function setLaw(sim, law) {
  sim.family = FAMILIES.indexOf(law?.id);
  if (sim.family < 0) {
    refuse(`The reward law is ${law?.id}: it must be one of ${FAMILIES.join(", ")}.`);
  }
  sim.sd = 0;
  sim.support = new Float64Array(1);
  sim.cumulative = [];
  if (law.id === "gaussian") sim.sd = finite("The standard deviation", law.sd, 0);
  if (law.id === "heavy_tailed") {
    sim.sd = finite("The scale", law.scale, 0);
    sim.support[0] = finite("The tail index", law.tail, 1 + Number.EPSILON);
  }
  if (law.id === "categorical") {
    sim.support = vector("The support", law.support, law.support?.length);
    const rows = law.probabilities?.length;
    if (rows !== sim.nArms) {
      refuse(`The probabilities have ${rows} rows, but there are ${sim.nArms} arms.`);
    }
    law.probabilities.forEach((given, k) => {
      const name = `Row ${k + 1} of the probabilities`;
      const row = [...vector(name, given, sim.support.length, 0, 1)];
      const sum = row.reduce((a, b) => a + b, 0);
      const mean = row.reduce((a, p, j) => a + p * sim.support[j], 0);
      if (Math.abs(sum - 1) > 1e-9) refuse(`${name} sums to ${sum}, not 1.`);
      const wanted = sim.expected[k];
      if (Math.abs(mean - wanted) > 1e-9) {
        refuse(`The mean of arm ${k + 1} is ${wanted}, but its probabilities have ${mean}.`);
      }
      sim.cumulative.push(cumulativeOf(row));
    });
  }
  if (law.id === "bernoulli" || law.id === "beta") {
    vector("The mean", sim.expected, sim.nArms, 0, 1);
  }
  return sigmaOf(law);
}

function tuningOf(policy, given, nArms, horizon) {
  if (policy.tuning === null) {
    if (given != null) refuse(`${policy.label} has no tuning, but got ${given}.`);
    return 0;
  }
  const { symbol, value } = policy.tuning;
  if (given == null && !value) refuse(`${policy.label} needs its ${symbol}.`);
  const tuning = given ?? value(nArms, horizon);
  finite(symbol, tuning, 0);
  return policy.commits ? whole(symbol, tuning, 1) : tuning;
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
  return Math.abs(index(100, 0.375, 0, 10, 10, false, 0.2, 0, 0, 3, 0) - 0.375) < 1e-9;
}

class Simulation {
  // Rounds of one replicate.  The law is {id, sd | scale, tail | support, probabilities}; fairness
  // and penalties are one number for all arms or one for each.  Without experiment and instance
  // the random numbers are those of simulate(...) without a stream.
  constructor({
    policy, means, fairness, penalties, law, tuning, horizon, seed, experiment, instance,
    replicate = 0,
  }) {
    const rule = POLICIES.find((one) => one.id === policy);
    if (!rule) refuse(`There is no policy ${policy} here.`);
    if (!(means?.length > 0)) refuse("The means must be a list of at least one number.");
    const nArms = means.length;
    this.policy = rule;
    this.nArms = nArms;
    this.expected = vector("The mean", means, nArms);
    this.fairness = vector("The fairness fraction", fairness, nArms, 0);
    const rates = vector("The penalty rate", penalties, nArms, 0);
    this.penalties = rule.ignoresPenalties ? rates.fill(0) : rates;
    const total = this.fairness.reduce((a, b) => a + b, 0);
    if (total > 1 + 1e-13) {
      refuse(`The fairness fractions sum to ${total}: the sum must be at most 1.`);
    }
    const sigma = setLaw(this, law);
    this.horizon = whole("The horizon", horizon, 1, 2 ** 31 - 1);
    whole("The seed", seed, Number.MIN_SAFE_INTEGER);
    whole("The replicate", replicate, 0, 2 ** 31 - 1);
    this.tuning = tuningOf(rule, tuning, nArms, horizon);
    this.exploration = rule.exploration * (rule.scaled ? sigma * sigma : 1);
    if (!Number.isFinite(this.exploration)) {
      refuse(`${rule.label} must be told the noise, but ${law.id} rewards are not sub-Gaussian.`);
    }
    this.scheduled = rule.commits ? this.tuning * nArms : rule.firstPulls ? nArms : 0;
    const names = [experiment, instance].filter((name) => name != null);
    this.tape = armKeys(seed, names, replicate, nArms);
    this.noiseKeys = armKeys(seed, [...names, NOISE_STREAM], replicate, nArms);
    this.uniform = rule.draws === "uniform";
    this.noiseSd = Math.sqrt(0.5 * this.exploration);
    this.noise = new Float64Array(nArms);
    this.log = new Float64Array(3);

    this.n = 0;
    this.last = -1;
    this.pulls = new Float64Array(nArms);
    this.sums = new Float64Array(nArms);
    this.means = new Float64Array(nArms).fill(Infinity);
    this.roots = new Float64Array(nArms).fill(UNPULLED_ROOT);
    this.levels = new Float64Array(nArms);
    this.since = new Float64Array(nArms).fill(rule.queuesSince);
    this.round = {
      n: 1, pulls: this.pulls, observed: this.pulls, means: this.means, fairness: this.fairness,
      penalties: this.penalties, tuning: this.tuning, exploration: this.exploration, log: 0,
      noise: this.noise,
      memory: Array.from({ length: rule.memory }, () => new Float64Array(nArms)),
    };
  }

  // Plays so many more rounds, or up to the horizon.
  run(rounds) {
    const more = Math.min(whole("The number of rounds", rounds, 0), this.horizon - this.n);
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
      tau, penalty, queue, this.tuning, this.noise[k]);
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
