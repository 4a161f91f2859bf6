// The bandit and what is played on it: read from the address, checked, written to the address.
// A state is {means, fairness, penalties, law, policies, horizon, replicates, seed}.

const { frontierOf, gapsOf, marginsOf } = Theory;
const DATA = JSON.parse(document.getElementById("data").textContent);
const LIMITS = { arms: [2, 20], horizon: [2, 1e6], replicates: [1, 1000], seed: [0, Number.MAX_SAFE_INTEGER], rate: 1e6, tuning: 1e12 };
/** Fractions sum to no more, so that rounding cannot make 1 of their sum. */
const LARGEST_TOTAL = 1 - 1e-12;
const EXPERIMENT = "playground"; // the experiment whose random numbers the page draws
/** Name of the bandit there: movies have their own. */
const caseOf = ({ law }) => law.movies ?? "playground";

const copyOf = (state) => structuredClone(state);
const clean = (x, digits = 12) => Number(Number(x).toPrecision(digits));
const policyOf = (id) => POLICIES.find((policy) => policy.id === id);
const labelOf = (id) => policyOf(id).label;
/** Laws whose means can be chosen: all but that of the movies. */
const OWN_LAWS = REWARD_LAWS.filter(({ id }) => id !== "categorical");
const lawOf = (id) => OWN_LAWS.find((law) => law.id === id);
/** The movies of a law; undefined if it has none, or none that are in the page. */
const moviesOf = ({ movies }) => (Object.hasOwn(DATA.movies, movies) ? DATA.movies[movies] : undefined);
/** A policy's tuning: its own number, or that of its rule for regret; null if it has none. */
const tuningOf = (state, { id, tuning }) =>
  tuning ?? policyOf(id).tuning?.value?.(state.means.length, state.horizon) ?? null;
const allSame = (values) => values.every((value) => value === values[0]);

/** The reward law as the engine takes it: movies with their tables. */
const fullLaw = (law) => {
  if (!law.movies) return law;
  const { support, probabilities } = moviesOf(law);
  return { id: law.id, support, probabilities };
};
const meansOfMovies = ({ support, probabilities }) =>
  probabilities.map((row) => row.reduce((total, p, i) => total + p * support[i], 0));
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
const between = (low, high) => `from ${grouped(low)} to ${grouped(high)}`;
const whole = (limits) => `a whole number ${between(...limits)}`;

const problemsOf = (state) => {
  const found = {};
  const { means, fairness, penalties } = state;
  // Without its movies there is no bandit to check.
  if (state.law.movies && !moviesOf(state.law)) {
    return { law: `There are no movies ${quoted(state.law.movies)}: they must be one of ${Object.keys(DATA.movies).join(", ")}.` };
  }
  const note = (control, text) => {
    found[control] ??= text;
  };
  const each = (control, symbol, values, wrong, right) => {
    const [k] = armsWith(values, wrong);
    if (k !== undefined) note(control, `${symbol} of arm ${k + 1} is ${quoted(values[k])}: it must be ${right}.`);
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
    note("fairness", `The fractions τ add up to ${quoted(clean(total, 6))}: they must add up to less than 1, or no allocation keeps them.`);
  }
  each("penalties", "A", penalties, (x) => !(x >= 0 && x <= LIMITS.rate), `a number ${between(0, LIMITS.rate)}`);
  const law = lawOf(state.law.id);
  if (!law && !state.law.movies) {
    note("law", `There is no reward law ${quoted(state.law.id)}: it must be one of ${OWN_LAWS.map(({ id }) => id).join(", ")}.`);
  }
  for (const { name, label, least } of law?.parameters ?? []) {
    const value = state.law[name];
    if (!(value >= least && value <= LIMITS.rate)) {
      note("law", `${label} is ${quoted(value)}: it must be a number ${between(least, LIMITS.rate)}.`);
    }
  }
  for (const [key, name] of [["horizon", "The horizon T"], ["replicates", "The number of replicates"], ["seed", "The seed"]]) {
    if (!inRange(state[key], LIMITS[key])) note(key, `${name} is ${quoted(state[key])}: it must be ${whole(LIMITS[key])}.`);
  }
  if (state.policies.length === 0) note("policies", "Choose at least one policy.");
  for (const { id, tuning } of state.policies) {
    // A rule for the tuning knows no horizon that is wrong.
    if (tuning === null && found.horizon) continue;
    const policy = policyOf(id);
    if (tuning !== null && !policy.tuning) {
      note("policies", `${policy.label} has no tuning, but got ${quoted(tuning)}: give none.`);
    } else if (policy.tuning) {
      const least = policy.commits ? 1 : 0;
      const value = tuningOf(state, { id, tuning });
      if (!(value >= least && value <= LIMITS.tuning) || (policy.commits && !Number.isInteger(value))) {
        note("policies", `${policy.tuning.symbol} of ${policy.label} is ${quoted(value)}: it must be a ${policy.commits ? "whole " : ""}number ${between(least, LIMITS.tuning)}.`);
      }
    }
  }
  return found;
};

/** The bandit and its run in a line. */
const banditOf = ({ means, fairness, penalties, law, horizon, replicates, seed }) => {
  const values = (all) => (allSame(all) ? shown(all[0]) : all.slice(0, 6).map((x) => shown(x)).join(", ") + (all.length > 6 ? ", …" : ""));
  const parameters = (lawOf(law.id)?.parameters ?? []).map(({ name, label }) => `, ${label.toLowerCase()} ${shown(law[name])}`).join("");
  const rewards = law.movies ? "ratings of movies" : `${lawOf(law.id).label} rewards${parameters}`;
  return `${means.length} arms: μ ${values(means)} · τ ${values(fairness)} · A ${values(penalties)} · ${rewards} · T ${grouped(horizon)} · ${grouped(replicates)} replicate${replicates === 1 ? "" : "s"} · seed ${seed}`;
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

/** The number that a text stands for; other text as it is, for a message. */
const numberIn = (text) => {
  if (text.trim() === "") return NaN;
  return Number.isNaN(Number(text)) ? text : Number(text);
};
const numbersIn = (text) => text.split(",").map(numberIn);

/** Read an address: the state, which may be wrong, and sentences on policies that were left out. */
const stateAt = (address, fallback) => {
  const given = new URLSearchParams(address.replace(/^#/, ""));
  const state = copyOf(fallback);
  let dropped = [];
  const number = (key, into) => {
    if (given.has(key)) state[into] = numberIn(given.get(key));
  };
  if (given.has("movies")) {
    const movies = given.get("movies");
    state.law = { id: "categorical", movies };
    if (moviesOf(state.law)) state.means = meansOfMovies(moviesOf(state.law));
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
    const named = given.get("p").split(",").filter(Boolean).map((text) => {
      const [id, tuning] = text.split(":");
      return { id, tuning: tuning === undefined ? null : numberIn(tuning) };
    });
    const known = named.filter(({ id }) => policyOf(id));
    state.policies = known.filter(({ id }, p) => known.findIndex((one) => one.id === id) === p);
    dropped = named.filter(({ id }) => !policyOf(id)).map(({ id }) => {
      const absent = ABSENT.find((one) => one.id === id);
      return `${absent ? `${absent.label} is not in the page` : `There is no policy ${quoted(id)}`}: it is left out.`;
    });
  }
  number("t", "horizon");
  number("r", "replicates");
  number("seed", "seed");
  return { state, dropped };
};
