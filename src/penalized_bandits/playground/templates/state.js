// The bandit and what is played on it: read from the address, checked, written to the address.
// A state is {means, fairness, penalties, law, policies, horizon, replicates, seed}.

const { frontierOf, gapsOf } = Theory;
const DATA = JSON.parse(document.getElementById("data").textContent);
const LIMITS = { arms: [2, 20], horizon: [2, 1e6], replicates: [1, 1000], rate: 1e6 };
/** Fractions sum to no more, so that rounding cannot make 1 of their sum. */
const LARGEST_TOTAL = 1 - 1e-12;
const EXPERIMENT = "sharp_short"; // whose section takes any bandit: the page and it draw alike
/** Name of the bandit there: movies have their own. */
const caseOf = ({ law }) => law.movies ?? "playground";

const copyOf = (state) => structuredClone(state);
const clean = (x, digits = 12) => Number(x.toPrecision(digits));
const policyOf = (id) => POLICIES.find((policy) => policy.id === id);
const labelOf = (id) => policyOf(id)?.label ?? id;
const lawOf = (id) => REWARD_LAWS.find((law) => law.id === id);
/** A policy's tuning: its own number, or that of its rule for regret; null if it has none. */
const tuningOf = (state, { id, tuning }) =>
  tuning ?? policyOf(id)?.tuning?.value?.(state.means.length, state.horizon) ?? null;
const allSame = (values) => values.every((value) => value === values[0]);

/** The reward law as the engine takes it: movies with their tables. */
const fullLaw = (law) => {
  if (!law.movies) return law;
  const { support, probabilities } = DATA.movies[law.movies];
  return { id: law.id, support, probabilities };
};
const meansOfMovies = (group) => {
  const { support, probabilities } = DATA.movies[group];
  return probabilities.map((row) => row.reduce((total, p, i) => total + p * support[i], 0));
};
/** What the worker plays: with the random numbers of the workflow's section of that name. */
const playable = (state) => ({
  ...state,
  law: fullLaw(state.law),
  experiment: EXPERIMENT,
  instance: `${caseOf(state)}_T${state.horizon}`,
});

// --- Checks: what is wrong, by the control that can mend it

const armsWith = (values, wrong) =>
  values.map((value, k) => (wrong(value) ? k : -1)).filter((k) => k >= 0);
const inRange = (value, [low, high]) => Number.isInteger(value) && value >= low && value <= high;
const whole = ([low, high]) => `a whole number from ${grouped(low)} to ${grouped(high)}`;

const problemsOf = (state) => {
  const found = {};
  const { means, fairness, penalties } = state;
  const note = (control, text) => {
    found[control] ??= text;
  };
  const each = (control, symbol, values, wrong, right) => {
    const [k] = armsWith(values, wrong);
    if (k !== undefined) note(control, `${symbol} of arm ${k + 1} is ${told(values[k])}: it must be ${right}.`);
  };
  if (!state.law.movies && !inRange(means.length, LIMITS.arms)) {
    note("arms", `There are ${means.length} arms: K must be ${whole(LIMITS.arms)}.`);
  }
  each("means", "μ", means, (x) => !(x >= 0 && x <= 1), "a number from 0 to 1");
  for (const [control, values, name] of [["fairness", fairness, "τ"], ["penalties", penalties, "A"]]) {
    if (values.length !== means.length) {
      note(control, `There are ${means.length} means but ${values.length} values of ${name}: give one for each arm, or one for all.`);
    }
  }
  each("fairness", "τ", fairness, (x) => !(x >= 0 && x < 1), "a number from 0 to below 1");
  const total = fairness.reduce((sum_, tau) => sum_ + tau, 0);
  if (total > LARGEST_TOTAL) {
    note("fairness", `The fractions τ add up to ${told(clean(total, 6))}: they must add up to less than 1, or no allocation keeps them.`);
  }
  each("penalties", "A", penalties, (x) => !(x >= 0 && x <= LIMITS.rate), "a number from 0");
  const law = lawOf(state.law.id);
  if (!law) note("law", `There is no reward law ${JSON.stringify(state.law.id)} here.`);
  for (const { name, label, least } of law?.parameters ?? []) {
    const value = state.law[name];
    if (!(value >= least && value <= LIMITS.rate)) {
      note("law", `${label} is ${told(value)}: it must be a number from ${least}.`);
    }
  }
  if (state.law.id === "categorical" && !DATA.movies[state.law.movies]) {
    note("law", "These movies are not in the page.");
  }
  for (const key of ["horizon", "replicates"]) {
    if (!inRange(state[key], LIMITS[key])) {
      const symbol = key === "horizon" ? "The horizon T" : "The number of replicates";
      note(key, `${symbol} is ${told(state[key])}: it must be ${whole(LIMITS[key])}.`);
    }
  }
  if (!inRange(state.seed, [0, Number.MAX_SAFE_INTEGER])) {
    note("seed", `The seed is ${told(state.seed)}: it must be a whole number from 0.`);
  }
  if (state.policies.length === 0) note("policies", "Choose at least one policy.");
  for (const { id, tuning } of state.policies) {
    const policy = policyOf(id);
    if (!policy) {
      const absent = ABSENT.find((one) => one.id === id);
      note("policies", absent ? `${absent.label} is not in the page: ${absent.why}` : `There is no policy ${JSON.stringify(id)}.`);
    } else if (tuning !== null && !policy.tuning) {
      note("policies", `${policy.label} has no tuning, but got ${told(tuning)}.`);
    } else if (policy.tuning) {
      const least = policy.commits ? 1 : 0;
      const value = tuningOf(state, { id, tuning });
      if (!(value >= least && value <= 1e12) || (policy.commits && !Number.isInteger(value))) {
        note("policies", `${policy.tuning.symbol} of ${policy.label} is ${told(value)}: it must be a ${policy.commits ? "whole " : ""}number from ${least}.`);
      }
    }
  }
  return found;
};

// --- The address

const joined = (values) => (allSame(values) ? String(values[0]) : values.join(","));

const addressOf = (state) => {
  const { law } = state;
  const fields = law.movies
    ? [["movies", law.movies]]
    : [["mu", state.means.join(",")], ["law", law.id]];
  for (const key of Object.keys(law)) {
    if (key !== "id" && key !== "movies") fields.push([key, law[key]]);
  }
  fields.push(
    ["tau", joined(state.fairness)],
    ["a", joined(state.penalties)],
    ["p", state.policies.map(({ id, tuning }) => (tuning == null ? id : `${id}:${tuning}`)).join(",")],
    ["t", state.horizon],
    ["r", state.replicates],
    ["seed", state.seed],
  );
  return `#${fields.map(([key, value]) => `${key}=${value}`).join("&")}`;
};

const numberIn = (text) => (text.trim() === "" ? NaN : Number(text));
const numbersIn = (text) => text.split(",").map(numberIn);

/** Read an address; returns the state and the messages for what could not be taken from it. */
const stateAt = (address, fallback) => {
  const given = new URLSearchParams(address.replace(/^#/, ""));
  const state = copyOf(fallback);
  const number = (key, into) => {
    if (given.has(key)) state[into] = numberIn(given.get(key));
  };
  if (given.has("movies")) {
    const movies = given.get("movies");
    state.law = { id: "categorical", movies };
    if (DATA.movies[movies]) state.means = meansOfMovies(movies);
  } else if (given.has("mu")) {
    state.means = numbersIn(given.get("mu"));
    if (state.law.movies) state.law = { id: "bernoulli" };
  }
  if (given.has("law") && !given.has("movies")) {
    const id = given.get("law");
    state.law = { id };
    for (const { name, value } of lawOf(id)?.parameters ?? []) {
      state.law[name] = given.has(name) ? numberIn(given.get(name)) : value;
    }
  }
  for (const [key, into] of [["tau", "fairness"], ["a", "penalties"]]) {
    const values = given.has(key) ? numbersIn(given.get(key)) : state[into];
    const one = values.length === 1 || (!given.has(key) && allSame(values));
    state[into] = one ? state.means.map(() => values[0]) : values;
  }
  if (given.has("p")) {
    state.policies = given.get("p").split(",").filter(Boolean).map((text) => {
      const [id, tuning] = text.split(":");
      return { id, tuning: tuning === undefined ? null : numberIn(tuning) };
    });
  }
  number("t", "horizon");
  number("r", "replicates");
  number("seed", "seed");
  return state;
};
