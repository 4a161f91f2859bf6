// What Python's functions of numbers and vectors are, where JavaScript has none that is the same.

const $square = (x) => x * x;
const $pow = Math.pow;

// The first of two unless the other is larger, or smaller; so for NaN too.
const $max_of = (a, b) => (b > a ? b : a);
const $min_of = (a, b) => (b < a ? b : a);

// Remainders have the sign of the divisor.
function $remainder(a, b) {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

function $floor_division(a, b) {
  const whole = (a - $remainder(a, b)) / b;
  const below = Math.floor(whole);
  return whole - below > 0.5 ? below + 1 : below;
}

// An operation on two vectors, or on a vector and a number.
function $each(operation, a, b) {
  if (typeof a === "number") return b.map((value) => operation(a, value));
  return a.map((value, k) => operation(value, typeof b === "number" ? b : b[k]));
}

function $sum(values) {
  let sum = 0;
  for (let k = 0; k < values.length; k += 1) sum += values[k];
  return sum;
}

// The first of the largest, or of the least.
function $argmax(values) {
  let at = 0;
  for (let k = 1; k < values.length; k += 1) if (values[k] > values[at]) at = k;
  return at;
}

function $argmin(values) {
  let at = 0;
  for (let k = 1; k < values.length; k += 1) if (values[k] < values[at]) at = k;
  return at;
}

const $max = (values) => values[$argmax(values)];
const $min = (values) => values[$argmin(values)];

// Further random numbers from one in [0, 1): policies/samples.py.
function $word(number, i) {
  const seed = number * 2 ** 53;
  addTimes(Math.floor(seed / 2 ** 21) | 0, (seed % 2 ** 21 << 11) | 0, i, WEYL_HIGH, WEYL_LOW);
  mix(WORD[0], WORD[1]);
}

function $further(number, i) {
  $word(number, i);
  return ((WORD[0] >>> 0) * 2 ** 20 + (WORD[1] >>> 12) + 0.5) * 2 ** -52;
}

// A standard normal number from words i, i + 2, ...; $next is the word after those.
let $next = 0;

function $normal(number, first) {
  for (let i = first; ; i += 4) {
    $word(number, i);
    const layer = WORD[1] & 255;
    const sign = 1 - 2 * (WORD[1] >>> 8 & 1);
    const x = unit() * EDGES[layer];
    $next = i + 2;
    if (x < EDGES[layer + 1]) return sign * x;
    if (layer === 0) {
      let a = 1;
      let b = 0;
      while (b + b <= a * a) {
        a = -Math.log($further(number, $next)) / EDGES[1];
        b = -Math.log($further(number, $next + 2));
        $next += 4;
      }
      return sign * (EDGES[1] + a);
    }
    const low = HEIGHTS[layer];
    $next = i + 4;
    if (low + $further(number, i + 2) * (HEIGHTS[layer + 1] - low) < Math.exp(-0.5 * x * x)) {
      return sign * x;
    }
  }
}

function $gamma(number, first, shape) {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  let i = first;
  for (;;) {
    const z = $normal(number, i);
    const u = $further(number, $next);
    i = $next + 2;
    const x = c * z;
    const v = (1 + x) * (1 + x) * (1 + x);
    if (!(x <= -0.3 || u >= 1 - d * (x * x) * (x * x))) return d * v;
    if (!(v <= 0 || Math.log(u) >= 0.5 * z * z + d * (1 - v + Math.log(v)))) return d * v;
  }
}
