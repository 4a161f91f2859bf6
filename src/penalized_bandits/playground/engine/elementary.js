// Logarithms of rounds as sums of two numbers, which are rounded once.  A browser's own may differ
// from the C library's in the last place (V8's did for about one number in a hundred).  That place
// is in the radius of every arm, so it can decide between indices that differ by rounding alone.
// Here errors are below 2^-65 of the result: it is the nearest number, as the C library's nearly
// always is.

const PAIR = new Float64Array(2); // high and low part of the last result
const VIEW = new DataView(new ArrayBuffer(8));
const SPLIT = 2 ** 27 + 1;
const DIRECT = 1000;

// The rounding error of the product of two numbers, given the product (Dekker 1971).
function errorOfProduct(a, b, product) {
  const a1 = SPLIT * a - (SPLIT * a - a);
  const b1 = SPLIT * b - (SPLIT * b - b);
  const a2 = a - a1;
  const b2 = b - b1;
  return a1 * b1 - product + a1 * b2 + a2 * b1 + a2 * b2;
}

// The rounding error of a sum (Knuth).
function errorOfSum(a, b, sum) {
  const c = sum - a;
  return a - (sum - c) + (b - c);
}

// log x = e log 2 + log c + 2 artanh s with c = i / 64 next to f = x / 2^e, s = (f - c) / (f + c).
function logParts(x) {
  VIEW.setFloat64(0, x);
  const high = VIEW.getInt32(0);
  let e = (high >>> 20) - 1023;
  VIEW.setInt32(0, high & 0xfffff | 0x3ff00000);
  let f = VIEW.getFloat64(0);
  if (f > Math.SQRT2) {
    f *= 0.5;
    e += 1;
  }
  const i = Math.round(64 * f);
  const c = i / 64;
  const under = f + c;
  const s = (f - c) / under;
  const product = s * under;
  const rest = f - c - product - errorOfProduct(s, under, product) - s * errorOfSum(f, c, under);
  const z = s * s;
  const series = ((2 / 9 * z + 2 / 7) * z + 2 / 5) * z + 2 / 3;
  const first = e * LN2[0] + LOG_HIGH[i];
  PAIR[0] = first + 2 * s;
  PAIR[1] = errorOfSum(e * LN2[0], LOG_HIGH[i], first) + errorOfSum(first, 2 * s, PAIR[0])
    + (e * LN2[1] + LOG_LOW[i] + (2 * rest / under + s * z * series));
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
