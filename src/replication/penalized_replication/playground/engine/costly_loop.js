// Rounds of a policy whose index takes a solve, as engine/_lazy_evaluation.py plays them.  The index of an
// arm that is not pulled only grows, so that of a later round is a bound until then, or until the
// arm falls below its level.  An index is worked out only where its bound may win: with the
// browser's logarithms (rough), and once more with the exact ones where rounding may decide.
const MARGIN = 1e-9; // far more than rounding can make
const WINDOW = 64; // a bound holds for about one part in this many of the rounds so far
const WINDOW_AGAIN = 1024; // where a bound was not close enough

function boundsOf(nArms) {
  const numbers = () => new Float64Array(nArms);
  const windows = numbers().fill(WINDOW);
  return { values: numbers(), known: numbers(), until: numbers(), below: numbers(), windows };
}

function play(sim, rounds) {
  const { nArms, scheduled, exploration, tuning, fairness, penalties } = sim;
  const { pulls, sums, means, roots, log } = sim;
  sim.bounds ??= boundsOf(nArms);
  const { values, known, until, below, windows } = sim.bounds;
  const indexOf = (formula, k, n, logarithm) => formula(n, means[k],
    Math.sqrt(exploration * logarithm) * roots[k], pulls[k], pulls[k], below[k] === 1,
    fairness[k], penalties[k], 0, tuning, 0, 0, below[k] * penalties[k]);
  const last = sim.n + rounds;
  let arm = sim.last;
  for (let n = sim.n + 1; n <= last; n += 1) {
    arm = (n - 1) % nArms;
    const logarithm = logOfRound(n, log);
    for (let looked = -1; n > scheduled;) {
      let best = -Infinity;
      let second = -Infinity;
      for (let k = 0; k < nArms; k += 1) {
        const owed = pulls[k] < fairness[k] * n ? 1 : 0;
        if (known[k] !== n && (until[k] < n || owed !== below[k])) {
          below[k] = owed;
          until[k] = n + 8 + Math.floor(n / windows[k]);
          const bound = indexOf(rough, k, until[k], Math.log(until[k]));
          values[k] = bound + MARGIN * (1 + Math.abs(bound));
        }
        if (values[k] > best) {
          second = best;
          best = values[k];
          arm = k;
        } else if (values[k] > second) {
          second = values[k];
        }
      }
      if (looked >= 0 && looked !== arm) windows[looked] = WINDOW_AGAIN;
      if (known[arm] === n) {
        const least = best - MARGIN * (1 + Math.abs(best));
        if (second < least) break;
        let top = -Infinity;
        for (let k = 0; k < nArms; k += 1) {
          if (values[k] < least) continue;
          const value = indexOf(index, k, n, logarithm);
          if (value > top) {
            top = value;
            arm = k;
          }
        }
        break;
      }
      values[arm] = indexOf(rough, arm, n, logarithm);
      known[arm] = n;
      until[arm] = 0; // it is no bound for later rounds
      looked = arm;
    }
    const count = pulls[arm] + 1;
    sums[arm] += nextReward(sim, arm);
    pulls[arm] = count;
    roots[arm] = 1 / Math.sqrt(count);
    means[arm] = sums[arm] / count;
    windows[arm] = WINDOW;
    until[arm] = 0;
  }
  sim.n = last;
  sim.last = arm;
}
