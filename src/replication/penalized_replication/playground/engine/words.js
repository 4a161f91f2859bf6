// Random words of 64 bits, as two halves of 32: engine/streams.py and policies/samples.py, exactly.

// The high and the low half of the last word made.
const WORD = new Int32Array(2);
const WEYL_HIGH = 0x9e3779b9 | 0;
const WEYL_LOW = 0x7f4a7c15 | 0;
const ARM_STEP_HIGH = 0xd1342543 | 0;
const ARM_STEP_LOW = 0xde82ef95 | 0;

// The high half of the product of two words of 32 bits, in halves of 16.
function highProduct(a, b) {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const first = Math.imul(a1, b0) + (Math.imul(a0, b0) >>> 16) | 0;
  const second = Math.imul(a0, b1) + (first & 0xffff) | 0;
  return Math.imul(a1, b1) + (first >>> 16) + (second >>> 16) | 0;
}

function multiply(high, low, byHigh, byLow) {
  WORD[0] = highProduct(low, byLow) + Math.imul(high, byLow) + Math.imul(low, byHigh) | 0;
  WORD[1] = Math.imul(low, byLow);
}

function add(high, low, otherHigh, otherLow) {
  const sum = low + otherLow | 0;
  WORD[0] = high + otherHigh + ((sum >>> 0) < (low >>> 0) ? 1 : 0) | 0;
  WORD[1] = sum;
}

// Scrambles one word: streams.mix.
function mix(high, low) {
  multiply(high ^ high >>> 30, low ^ (low >>> 30 | high << 2), 0xbf58476d | 0, 0x1ce4e5b9 | 0);
  high = WORD[0];
  low = WORD[1];
  multiply(high ^ high >>> 27, low ^ (low >>> 27 | high << 5), 0x94d049bb | 0, 0x133111eb | 0);
  high = WORD[0];
  low = WORD[1];
  WORD[0] = high ^ high >>> 31;
  WORD[1] = low ^ (low >>> 31 | high << 1);
}

// mix(word + WEYL): the next word of a draw that takes several.
function nextWord() {
  add(WORD[0], WORD[1], WEYL_HIGH, WEYL_LOW);
  mix(WORD[0], WORD[1]);
}

// A number in [0, 1) with the word's first 53 bits: streams.unit.
function unit() {
  return ((WORD[0] >>> 0) * 0x200000 + (WORD[1] >>> 11)) * 2 ** -53;
}

// Adds count times a word of 64 bits, by whole numbers that a number holds exactly.
function addTimes(high, low, count, stepHigh, stepLow) {
  multiply(Math.floor(count / 2 ** 32) | 0, count | 0, stepHigh, stepLow);
  add(high, low, WORD[0], WORD[1]);
}

const MASK = (1n << 64n) - 1n;
const BLAKE_START = [
  0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n,
];
// Which word of a block comes when (RFC 7693, section 2.7); rounds 11 and 12 are the first two.
const BLAKE_ORDER = [
  "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8",
  "905724afe1bc683d", "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a",
  "6fe9b308c2d714a5", "a2847615fb9e3cd0",
].map((row) => [...row].map((digit) => parseInt(digit, 16)));
const BLAKE_PLACES = ["048c", "159d", "26ae", "37bf", "05af", "16bc", "278d", "349e"]
  .map((row) => [...row].map((digit) => parseInt(digit, 16)));

function turned(word, bits) {
  return (word >> bits | word << 64n - bits) & MASK;
}

// BLAKE2b of bytes with a digest of 8 (RFC 7693), as one number: its first byte is the lowest.
function blake2b(bytes) {
  const state = [...BLAKE_START];
  state[0] ^= 0x01010000n ^ 8n;
  const blocks = Math.max(Math.ceil(bytes.length / 128), 1);
  for (let block = 0; block < blocks; block += 1) {
    const words = Array.from({ length: 16 }, (_, i) => {
      let word = 0n;
      for (let at = 128 * block + 8 * i + 7, j = 0; j < 8; j += 1, at -= 1) {
        word = word << 8n | BigInt(bytes[at] ?? 0);
      }
      return word;
    });
    const last = block === blocks - 1;
    const v = [...state, ...BLAKE_START];
    v[12] ^= BigInt(last ? bytes.length : 128 * (block + 1));
    if (last) v[14] ^= MASK;
    for (let round = 0; round < 12; round += 1) {
      const order = BLAKE_ORDER[round % 10];
      BLAKE_PLACES.forEach(([a, b, c, d], i) => {
        v[a] = v[a] + v[b] + words[order[2 * i]] & MASK;
        v[d] = turned(v[d] ^ v[a], 32n);
        v[c] = v[c] + v[d] & MASK;
        v[b] = turned(v[b] ^ v[c], 24n);
        v[a] = v[a] + v[b] + words[order[2 * i + 1]] & MASK;
        v[d] = turned(v[d] ^ v[a], 16n);
        v[c] = v[c] + v[d] & MASK;
        v[b] = turned(v[b] ^ v[c], 63n);
      });
    }
    for (let i = 0; i < 8; i += 1) state[i] ^= v[i] ^ v[i + 8];
  }
  return state[0];
}

const STREAMS = new Map();

// The two halves of a stream's key, by seed and names: streams.stream_key.
function streamKey(seed, names) {
  const parts = [String(seed), ...names].map((part) => `${[...part].length}:${part}`);
  const text = parts.join("");
  if (!STREAMS.has(text)) {
    const key = blake2b(new TextEncoder().encode(text));
    STREAMS.set(text, [Number(key >> 32n) | 0, Number(key & 0xffffffffn) | 0]);
  }
  return STREAMS.get(text);
}

// The mixed key of each arm's tape in a replicate, numbered from 0, as two arrays of halves:
// streams.replicate_keys and streams.arm_keys.
function armKeys(seed, names, replicate, nArms) {
  addTimes(...streamKey(seed, names), replicate + 1, WEYL_HIGH, WEYL_LOW);
  mix(WORD[0], WORD[1]);
  const [high, low] = WORD;
  const keys = { high: new Int32Array(nArms), low: new Int32Array(nArms) };
  for (let k = 0; k < nArms; k += 1) {
    addTimes(high, low, k + 1, ARM_STEP_HIGH, ARM_STEP_LOW);
    mix(WORD[0], WORD[1]);
    [keys.high[k], keys.low[k]] = WORD;
  }
  return keys;
}
