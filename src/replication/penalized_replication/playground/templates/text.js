// Numbers and names for reading, in the style of the package's numbers.py.

const grouped = (x) => String(x).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
/** A value that may be wrong, as it stands in a message. */
const quoted = (x) => {
  if (Number.isNaN(x)) return "not a number";
  return typeof x === "string" ? JSON.stringify(x) : String(x).replace("-", "−");
};

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const raised = (n) =>
  String(n).replace("-", "⁻").replace(/\d/g, (digit) => SUPERSCRIPT[digit]);

/** Whether a number is 0 but for rounding. */
const isZero = (x) => Math.abs(x) < 1e-9;
/** A number with so many significant digits at most, thousands apart. */
const shown = (x, digits = 3) => {
  if (!Number.isFinite(x)) return x > 0 ? "∞" : x < 0 ? "−∞" : "";
  if (isZero(x)) return "0";
  const size = Math.abs(x);
  if (size >= 1e7 || size < 1e-4) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
    const factor = mantissa.replace("-", "−").replace(/\.?0+$/, "");
    return `${factor === "1" ? "" : `${factor} × `}10${raised(Number(exponent))}`;
  }
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  const [integer, fraction] = size.toFixed(decimals).split(".");
  const rest = fraction?.replace(/0+$/, "");
  return `${x < 0 ? "−" : ""}${grouped(integer)}${rest ? `.${rest}` : ""}`;
};

/** A round or another power of ten on a logarithmic axis. */
const power = (x) => (x < 1e4 ? grouped(x) : `10${raised(Math.round(Math.log10(x)))}`);

const escaped = (text) =>
  String(text).replace(/[&<>"]/g, (c) => `&${{ "&": "amp", "<": "lt", ">": "gt", '"': "quot" }[c]};`);

/** Mean and half its interval over replicates (Student's t); no interval for one. */
const estimate = ({ many, mean, squares }) =>
  [mean, many < 2 ? 0 : DATA.quantiles[many - 2] * Math.sqrt(squares / (many - 1) / many)];

/** Whether the intervals of two estimates lie apart. */
const apart = ([mean, half], [other, otherHalf]) => Math.abs(mean - other) > half + otherHalf;

const withHalf = ([mean, half]) => (isZero(half) ? shown(mean) : `${shown(mean)} ± ${shown(half, 2)}`);
/** What an arm is, by its gap and its margin. */
const kindOf = (gap, margin) => {
  if (gap === 0) return "best";
  return margin > 0 ? "worth its share" : margin < 0 ? "not worth it" : "on the edge";
};
const nameOf = (state, k) =>
  moviesOf(state.law)?.titles[k] ?? `Arm ${k + 1}`;
