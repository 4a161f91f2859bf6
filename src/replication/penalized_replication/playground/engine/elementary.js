// Logarithms as sums of two numbers, which are rounded once.  A browser's own may differ from the C
// library's in the last place (V8's did for about one number in a hundred, SpiderMonkey's for seven).
// That place can decide between indices that differ by rounding alone.  Here errors are below 2^-65
// of the result: it is the nearest number, as the C library's nearly always is.

const PAIR = new Float64Array(2); // high and low part of the last result
const NUMBER = new Float64Array(1);
const HALVES = new Int32Array(NUMBER.buffer); // the lower first, as in every browser
const ROOT_HALF = 0x3fe6a09e; // upper half of sqrt(1/2)
const NORMAL = 2 ** -1022;
const POWERS = Float64Array.from({ length: 2048 }, (_, i) => 2 ** (1023 - i));
const DIRECT = 1000;

// The rounding error of a sum (Knuth).
function errorOfSum(a, b, sum) {
  const c = sum - a;
  return a - (sum - c) + (b - c);
}

// log x = e log 2 + log c + log(1 + r) with c = i / 128 next to f = x / 2^e, r = f / c - 1.
function logParts(x) {
  NUMBER[0] = x;
  const e = HALVES[1] - ROOT_HALF >> 20;
  const f = x * POWERS[e + 1023]; // faster than to write its halves
  const i = 128 * f + 0.5 | 0;
  const c = i / 128;
  const top = Math.fround((f - c) * INVERSES[i]); // few bits: products with it are exact
  const rest = (f - c - top * c) * INVERSES[i];
  const r = top + rest;
  const series = ((((((r / 9 - 1 / 8) * r + 1 / 7) * r - 1 / 6) * r + 1 / 5) * r - 1 / 4) * r + 1 / 3);
  const whole = e * LN2[0];
  const first = whole + LOG_HIGH[i];
  const second = first + top;
  const square = -0.5 * top * top;
  const sum = second + square;
  PAIR[0] = sum;
  PAIR[1] = errorOfSum(whole, LOG_HIGH[i], first) + errorOfSum(first, top, second)
    + errorOfSum(second, square, sum) + (e * LN2[1] + LOG_LOW[i])
    + (rest - rest * (top + 0.5 * rest) + r * r * r * series);
}

// log n, where state holds the round before and the two parts of its logarithm:
// log n = log(n - 1) + 2 artanh s, s = 1 / (2 n - 1).
function logOfRound(n, state) {
  if (n < DIRECT || state[0] !== n - 1) {
    logParts(n);
    state[1] = PAIR[0];
    state[2] = PAIR[1];
  } else {
    const under = 2 * n - 1;
    const s = 1 / under;
    const top = Math.fround(s); // few bits: its product with a whole number is exact
    const rest = (1 - top * under - (s - top) * under) * s;
    const sum = state[1] + 2 * s;
    state[2] += 2 * s - (sum - state[1]) + (2 * rest + s * s * s * (2 / 3 + 0.4 * s * s));
    state[1] = sum;
  }
  state[0] = n;
  return state[1] + state[2];
}

// log x of a formula; of 0, what is below and what is no number, the browser's.
function $log(x) {
  if (!(x >= NORMAL && x < Infinity)) return Math.log(x);
  logParts(x);
  return PAIR[0] + PAIR[1];
}

// e^x: the browser's is y e^(x - log y) with the logarithm in two parts, and e^t is 1 + t for small t.
function $exp(x) {
  const y = Math.exp(x);
  if (!(y >= NORMAL && y < Infinity)) return y;
  logParts(y);
  return y + y * (x - PAIR[0] - PAIR[1]);
}
