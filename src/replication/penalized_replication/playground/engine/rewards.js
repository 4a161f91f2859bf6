// Rewards from random words: engine/_draws.py and the end of engine/streams.py, exactly.

const BITS = new DataView(new ArrayBuffer(8));
const HALF_UNIT = 0.5 * 2 ** -53;
const LN2_HIGH = 0x162e42fe * 2 ** -29;
const LN2_LOW = 0x1f473de6af278f * 2 ** -82;
const LOG2_E = 1 / Math.LN2;
const ROUND = 1.5 * 2 ** 52;
const EXP = Array.from({ length: 15 }, (_, i) => {
  let factorial = 1;
  for (let j = 2; j <= i; j += 1) factorial *= j;
  return 1 / factorial;
});

function logOfUnit(u) {
  BITS.setFloat64(0, u);
  const high = BITS.getInt32(0);
  let exponent = (high >>> 20) - 1022;
  BITS.setInt32(0, high & 0xfffff | 0x3fe00000);
  let fraction = BITS.getFloat64(0);
  if (fraction < Math.SQRT1_2) {
    fraction += fraction;
    exponent -= 1;
  }
  const s = (fraction - 1) / (fraction + 1);
  const z = s * s;
  let series = 1 / 23;
  for (let i = 0; i < 11; i += 1) series = series * z + 1 / (21 - 2 * i);
  return exponent * LN2_HIGH + (exponent * LN2_LOW + (s + s) * series);
}

function expOfNegative(given) {
  const t = given > -708 ? given : -708;
  const shifted = t * LOG2_E + ROUND;
  const k = shifted - ROUND;
  const r = t - k * LN2_HIGH - k * LN2_LOW;
  let series = EXP[14];
  for (let i = 13; i > 1; i -= 1) series = series * r + EXP[i];
  series = (series * r + 1) * r + 1;
  BITS.setInt32(0, k + 1023 << 20);
  BITS.setInt32(4, 0);
  return series * BITS.getFloat64(0);
}

// A standard normal number from the word in WORD and those after it.
function normal() {
  const layer = WORD[1] & 255;
  const sign = 1 - 2 * (WORD[1] >>> 8 & 1);
  const x = unit() * EDGES[layer];
  return x < EDGES[layer + 1] ? sign * x : normalRejected();
}

function normalRejected() {
  for (;;) {
    const layer = WORD[1] & 255;
    const sign = 1 - 2 * (WORD[1] >>> 8 & 1);
    const x = unit() * EDGES[layer];
    if (x < EDGES[layer + 1]) return sign * x;
    nextWord();
    while (layer === 0) {
      const a = -logOfUnit(1 - unit()) / EDGES[1];
      nextWord();
      const b = -logOfUnit(1 - unit());
      nextWord();
      if (b + b > a * a) return sign * (EDGES[1] + a);
    }
    const height = HEIGHTS[layer] + unit() * (HEIGHTS[layer + 1] - HEIGHTS[layer]);
    if (height < expOfNegative(-0.5 * x * x)) return sign * x;
    nextWord();
  }
}

function beta(mean) {
  for (;;) {
    const u = unit() + HALF_UNIT;
    nextWord();
    const v = unit() + HALF_UNIT;
    if (mean <= 0 || mean >= 1) return mean;
    const x = expOfNegative(logOfUnit(u) / mean);
    const y = expOfNegative(logOfUnit(v) / (1 - mean));
    if (x + y <= 1) return x / (x + y);
    nextWord();
  }
}

function heavyTailed(tail) {
  const sign = 1 - 2 * (WORD[1] >>> 8 & 1);
  return sign * (1 / expOfNegative(logOfUnit(unit() + HALF_UNIT) / tail) - 1);
}

function categorical(cumulative, support) {
  const u = unit();
  let j = 0;
  for (let i = 0; i < support.length - 1; i += 1) j += u >= cumulative[i] ? 1 : 0;
  return support[j];
}

// Cumulative probabilities of one arm: Categorical.code in bandit/rewards.py.
function cumulativeOf(row) {
  const sums = new Float64Array(row.length);
  const last = row.findLastIndex((p) => p > 0);
  let sum = 0;
  row.forEach((p, j) => {
    sum += p;
    sums[j] = j >= last ? 2 : sum;
  });
  return sums;
}
