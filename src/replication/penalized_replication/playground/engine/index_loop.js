// Rounds of a policy with an index, as engine/play.py and engine/oracle.py play them.  This text
// stands beside each policy's own functions, so that the browser compiles it with them.
function play(sim, rounds) {
  const { nArms, scheduled, exploration, tuning, fairness, penalties } = sim;
  const { pulls, sums, means, roots, levels, since, noise, variances, log } = sim;
  const last = sim.n + rounds;
  let arm = sim.last;
  for (let n = sim.n + 1; n <= last; n += 1) {
    if (n <= scheduled) {
      arm = (n - 1) % nArms;
    } else {
      const scale = exploration === 0 ? 0 : Math.sqrt(exploration * logOfRound(n, log));
      if (DRAWS) drawNoise(sim, n);
      let best = -Infinity;
      if (HAS_URGENCY) {
        for (let k = 0; k < nArms; k += 1) {
          const value = urgency(n, means[k], scale * roots[k], pulls[k], pulls[k],
            pulls[k] < fairness[k] * n, fairness[k], penalties[k],
            HAS_QUEUE ? levels[k] + fairness[k] * (n - 1 - since[k]) : 0, tuning, noise[k], variances[k],
            pulls[k] < fairness[k] * n ? penalties[k] : 0);
          if (value > best) {
            best = value;
            arm = k;
          }
        }
      }
      if (best === -Infinity) {
        arm = 0;
        for (let k = 0; k < nArms; k += 1) {
          const value = index(n, means[k], scale * roots[k], pulls[k], pulls[k],
            pulls[k] < fairness[k] * n, fairness[k], penalties[k],
            HAS_QUEUE ? levels[k] + fairness[k] * (n - 1 - since[k]) : 0, tuning, noise[k], variances[k],
            pulls[k] < fairness[k] * n ? penalties[k] : 0);
          if (value > best) {
            best = value;
            arm = k;
          }
        }
      }
    }
    const count = pulls[arm] + 1;
    const reward = nextReward(sim, arm);
    const sum = sums[arm] + reward;
    pulls[arm] = count;
    roots[arm] = 1 / Math.sqrt(count);
    if (!COMMITS || n <= scheduled) {
      const spread = (reward - means[arm]) * (reward - sum / count);
      variances[arm] = count > 1 ? (spread + variances[arm] * (count - 1)) / count : 0;
      sums[arm] = sum;
      means[arm] = sum / count;
    }
    if (HAS_QUEUE) {
      const queue = levels[arm] + fairness[arm] * (n - 1 - since[arm]) + fairness[arm];
      levels[arm] = served(queue, penalties[arm], tuning);
      since[arm] = n;
    }
  }
  sim.n = last;
  sim.last = arm;
}
