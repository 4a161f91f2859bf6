"use strict";

// Plays all policies and replicates side by side, checkpoint by checkpoint, and posts what the
// page draws: means over replicates, and the first replicate as it is.
(() => {
  const { breakPoint, costOf, explorationOf, gapsOf, isSoft } = Theory;
  const { logConstant, lowerBound, predictedPulls, regretOf, variancesOf } = Theory;

  const MOST_RECORDS = 20; // of a message: the page has to unpack it within a frame
  const PREVIEW = 80; // milliseconds
  let current = 0;

  /** Rounds at which the page looks: all up to 100, then 3 % apart, and T. */
  const checkpointsOf = (horizon) => {
    const rounds = [];
    for (let n = 1; n < horizon; n = n < 100 ? n + 1 : Math.max(n + 1, Math.round(n * 1.03))) {
      rounds.push(n);
    }
    return [...rounds, horizon];
  };

  const simulationsOf = (state, policy) =>
    Array.from({ length: state.replicates }, (_, replicate) =>
      new Simulation({ ...state, policy: policy.id, tuning: policy.tuning, replicate }));

  const EMPTY = () => ({ many: 0, mean: 0, squares: 0 });
  /** Welford's update; squares are of the distances from the mean: 0 if all values are equal. */
  const count = (into, value) => {
    const distance = value - into.mean;
    into.many += 1;
    into.mean += distance / into.many;
    into.squares += distance * (value - into.mean);
  };

  /** What one policy has done by a checkpoint, over all replicates. */
  const recordOf = (simulations, state, n) => {
    const { means, fairness, penalties } = state;
    const gaps = gapsOf(means);
    const [regret, reward, unfairness] = [EMPTY(), EMPTY(), EMPTY()];
    const pulls = means.map(() => 0);
    const wasted = means.map(() => 0);
    const missed = means.map(() => 0);
    for (const simulation of simulations) {
      let [paid, earned, short] = [0, 0, 0];
      for (let k = 0; k < means.length; k += 1) {
        const own = simulation.pulls[k];
        const level = fairness[k] * n;
        const [forPulls, forMissed] = costOf(own, level, gaps[k], penalties[k]);
        pulls[k] += own;
        wasted[k] += forPulls;
        missed[k] += forMissed;
        paid += forPulls + forMissed;
        earned += own * means[k];
        short += Math.max(level - own, 0);
      }
      count(regret, paid);
      count(reward, earned);
      count(unfairness, short);
    }
    const many = simulations.length;
    const mean = (values) => values.map((value) => value / many);
    const watched = simulations[0];
    const parts = means.map((_, k) => watched.parts(k));
    return {
      regret, reward, unfairness,
      pulls: mean(pulls), wasted: mean(wasted), missed: mean(missed),
      lane: Array.from(watched.pulls), last: watched.last, parts,
    };
  };

  /** The curves of the theory at some rounds; policies without a prediction have none. */
  const theoryOf = (state) => {
    const rounds = [];
    const first = Math.max(state.means.length, 10);
    for (let i = 0; i <= 40 && first < state.horizon; i += 1) {
      rounds.push(first * (state.horizon / first) ** (i / 40));
    }
    const noise = sigmaOf(state.law);
    // Where all pulls are owed neither the law of log T nor its lower bound is known.
    const free = state.fairness.reduce((total, tau) => total + tau, 0) < 1 - 1e-9;
    const policies = state.policies.map(({ id }) => {
      const rule = explorationOf(id, noise, variancesOf(state.law, state.means));
      if (rule === null) return null;
      const fluid = rounds.map((t) => regretOf(predictedPulls(state, t, rule, isSoft(id)), state, t));
      return { fluid, constant: isSoft(id) || !free ? null : logConstant(state, rule) };
    });
    const lower = rounds.map((t) => lowerBound(state, state.law, t));
    // A divergence may be unknown, or none at means of 0 or 1.
    return { rounds, policies, lower: free && lower.every(Number.isFinite) ? lower : null };
  };

  /** Play one replicate to its end, if it takes no longer than a movement of a slider may wait. */
  const preview = (run, state, checkpoints) => {
    const until = performance.now() + PREVIEW;
    const all = state.policies.map((policy) => simulationsOf({ ...state, replicates: 1 }, policy));
    const records = [];
    for (const n of checkpoints.filter((_, i) => i % 4 === 3 || i === checkpoints.length - 1)) {
      for (const [simulation] of all) {
        while (simulation.n < n) {
          if (performance.now() > until) return;
          simulation.run(Math.min(n - simulation.n, 2000));
        }
      }
      records.push({ n, policies: all.map((one) => recordOf(one, state, n)) });
    }
    for (let i = 0; i < records.length; i += MOST_RECORDS) {
      postMessage({ run, preview: records.slice(i, i + MOST_RECORDS), whole: i + MOST_RECORDS >= records.length });
    }
  };

  const play = (run, state) => {
    const checkpoints = checkpointsOf(state.horizon);
    const all = state.policies.map((policy) => simulationsOf(state, policy));
    postMessage({ run, checkpoints });
    postMessage({ run, theory: theoryOf(state) });
    if (state.replicates > 1) preview(run, state, checkpoints);
    postMessage({ run, begun: true });
    const began = performance.now();
    let [place, p, r, pulls] = [0, 0, 0, 0];
    let records = [];
    const slice = () => {
      if (run !== current) return;
      const until = performance.now() + 40;
      let finished = false;
      while (performance.now() < until && !finished && records.length < MOST_RECORDS) {
        const simulation = all[p][r];
        const n = checkpoints[place];
        // A dear policy is not to keep the worker from hearing that it is no longer wanted.
        const rounds = Math.min(n - simulation.n, 2000);
        simulation.run(rounds);
        pulls += rounds;
        if (simulation.n < n) continue;
        [p, r] = r + 1 < state.replicates ? [p, r + 1] : [p + 1, 0];
        if (p < all.length) continue;
        records.push({ n, policies: all.map((simulations) => recordOf(simulations, state, n)) });
        [p, place] = [0, place + 1];
        finished = place === checkpoints.length;
      }
      if (records.length > 0 || finished) {
        const seconds = (performance.now() - began) / 1000;
        postMessage({ run, records, finished, pulls, seconds });
        records = [];
      }
      if (!finished) setTimeout(slice, 0);
    };
    slice();
  };

  // --- The explorer of Figure 2: one rate A for all arms, from 0 to ``most``

  const POLICY = "hard_threshold_ucb";
  const [SIMULATED, RATES, SIMULATED_RATES, REPLICATES] = [1e4, 61, 16, 4];
  const sharesMissed = (pulls, fairness, t) =>
    fairness.map((tau, k) => (tau > 0 ? Math.max(1 - pulls[k] / (tau * t), 0) : 0));
  const spread = (most, many) => Array.from({ length: many }, (_, i) => (most * i) / (many - 1));

  const explore = ({ run, state, horizon, most }) => {
    const { means, fairness } = state;
    const rule = explorationOf(POLICY);
    const withRate = (rate) => ({ means, fairness, penalties: means.map(() => rate) });
    const curves = spread(most, RATES).map((rate) => {
      const pulls = predictedPulls(withRate(rate), horizon, rule, false);
      return [rate, sharesMissed(pulls, fairness, horizon)];
    });
    const breaks = means.map((_, k) => breakPoint(means, fairness, k, horizon, rule));
    postMessage({ run, curves, breaks });
    const points = spread(most, SIMULATED_RATES).map((rate) => {
      const bandit = { ...state, ...withRate(rate), horizon: SIMULATED, replicates: REPLICATES };
      const played = simulationsOf(bandit, { id: POLICY });
      const total = means.map(() => 0);
      for (const simulation of played) {
        simulation.run(SIMULATED);
        sharesMissed(simulation.pulls, fairness, SIMULATED).forEach((share, k) => {
          total[k] += share / REPLICATES;
        });
      }
      return [rate, total];
    });
    postMessage({ run, points });
  };

  onmessage = ({ data }) => {
    current = data.run;
    try {
      if (data.explore) explore({ run: data.run, ...data.explore });
      if (data.state) play(data.run, data.state);
    } catch (error) {
      postMessage({ run: data.run, problem: error.message });
    }
  };
})();
