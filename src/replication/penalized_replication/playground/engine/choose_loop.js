// Rounds of a policy that names the arm itself, as engine/play.py and engine/oracle.py play them.
function play(sim, rounds) {
  const { nArms, scheduled, pulls, sums, means, round } = sim;
  const { bonuses, fairness, penalties } = round;
  const last = sim.n + rounds;
  let arm = sim.last;
  for (let n = sim.n + 1; n <= last; n += 1) {
    if (n <= scheduled) {
      arm = (n - 1) % nArms;
    } else {
      if (DRAWS) drawNoise(sim, n);
      for (let k = 0; k < nArms; k += 1) bonuses[k] = pulls[k] < fairness[k] * n ? penalties[k] : 0;
      round.n = n;
      round.log = logOfRound(n, sim.log);
      arm = choose(round);
      if (!(arm >= 0 && arm < nArms)) throw new Error(`The policy chose arm ${arm} in round ${n}.`);
    }
    const sum = sums[arm] + nextReward(sim, arm);
    pulls[arm] += 1;
    sums[arm] = sum;
    means[arm] = sum / pulls[arm];
  }
  sim.n = last;
  sim.last = arm;
}
