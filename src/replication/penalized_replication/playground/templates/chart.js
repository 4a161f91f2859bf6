// Axes and marks as SVG text: the same text is shown, and saved as a picture.

const THEMES = {
  light: { ground: "#ffffff", ink: "#1b1f24", soft: "#545b64", line: "#d5d9de", owed: "#b3003c", bound: "#8c8c8c" },
  dark: { ground: "#14171b", ink: "#e6e9ed", soft: "#a6aeb8", line: "#383f48", owed: "#ff7f9f", bound: "#9aa2ac" },
};
const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");
const theme = () => (darkScheme.matches ? THEMES.dark : THEMES.light);
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const DASHES = ["", "7 3", "2 2.5", "9 3 2 3", "5 2 1 2 1 2"];

const PALETTE = Object.keys(DATA.onDark);
/** Colour and dashes of each policy that plays: its own, or the next that is free. */
const looksOf = (policies) => {
  const taken = [];
  return policies.map(({ id }, place) => {
    const own = PALETTE.indexOf(DATA.colours[id] ?? PALETTE[0]);
    const order = PALETTE.map((_, i) => PALETTE[(own + i) % PALETTE.length]);
    const colour = order.find((one) => !taken.includes(one)) ?? order[0];
    taken.push(colour);
    return {
      colour: darkScheme.matches ? DATA.onDark[colour] : colour,
      dash: DASHES[place % DASHES.length],
    };
  });
};

const round = (x) => Math.round(x * 10) / 10;
const attributes = (given) =>
  Object.entries(given).filter(([, value]) => value !== "" && value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? round(value) : escaped(value)}"`)
    .join("");
const mark = (name, given, inside = "") => `<${name}${attributes(given)}>${inside}</${name}>`;
const text = (x, y, words, given = {}) =>
  mark("text", { x, y, fill: theme().soft, "font-size": 12, ...given }, escaped(words));
const line = (x1, y1, x2, y2, given = {}) =>
  mark("line", { x1, y1, x2, y2, stroke: theme().line, ...given });
/** A path through points; what is not finite is left out. */
const through = (points) => {
  const kept = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  return kept.map(([x, y], i) => `${i ? "L" : "M"}${round(x)} ${round(y)}`).join("");
};
/** Those of a list that lie at least so many pixels apart, and the last. */
const thinned = (values, place, apart = 1.5) => {
  let last = -Infinity;
  return values.filter((value, i) => {
    const at = place(value);
    if (at - last < apart && i < values.length - 1) return false;
    last = at;
    return true;
  });
};

const curve = (points, given) =>
  mark("path", { d: through(points), fill: "none", "stroke-width": 2, "stroke-linejoin": "round", ...given });
const area = (upper, lower, given) => {
  const d = through([...upper, ...[...lower].reverse()]);
  return d && mark("path", { d: `${d}Z`, stroke: "none", ...given });
};

/** A picture of a size, with a name and its description for a screen reader. */
const picture = (width, height, name, described, inside) => {
  const ground = mark("rect", { width, height, fill: theme().ground });
  const head = `<title>${escaped(name)}</title><desc>${escaped(described)}</desc>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img" aria-label="${escaped(`${name}. ${described}`)}" font-family='${FONT}'>${head}${ground}${inside}</svg>`;
};

// --- Scales and ticks

const linear = (low, high, from, to) => {
  const scale = (x) => from + ((x - low) / (high - low || 1)) * (to - from);
  const raw = (high - low) / Math.max(2, Math.abs(to - from) / 65);
  const size = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 5, 10].map((m) => m * size).find((s) => s >= raw) ?? size;
  scale.ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); i += 1) {
    scale.ticks.push(clean(i * step));
  }
  scale.write = (x) => shown(x);
  return scale;
};
const logarithmic = (low, high, from, to) => {
  const span = Math.log(high / low) || 1;
  const scale = (x) => from + (Math.log(Math.max(x, low) / low) / span) * (to - from);
  scale.ticks = [];
  for (let e = Math.ceil(Math.log10(low) - 1e-9); e <= Math.log10(high) + 1e-9; e += 1) {
    scale.ticks.push(10 ** e);
  }
  scale.write = (tick) => (tick >= 1 ? power(tick) : shown(tick));
  return scale;
};

/** Axes of a panel; x and y are scales in its coordinates. */
const axes = (box, x, y, xLabel, yLabel) => {
  const { left, right, top, bottom } = box;
  const rows = y.ticks.map(
    (tick) =>
      line(left, y(tick), right, y(tick)) +
      text(left - 6, y(tick) + 4, y.write(tick), { "text-anchor": "end" }),
  );
  const columns = x.ticks.map(
    (tick) =>
      line(x(tick), bottom, x(tick), bottom + 4) +
      text(x(tick), bottom + 18, x.write(tick), { "text-anchor": "middle" }),
  );
  return (
    rows.join("") + columns.join("") + line(left, bottom, right, bottom, { stroke: theme().soft }) +
    text((left + right) / 2, bottom + 36, xLabel, { "text-anchor": "middle" }) +
    text(left - 40, top - 12, yLabel)
  );
};

/** Labels at the right end of curves, moved apart where they would touch; without room to the
 * right, above the curves. */
const endLabels = (x, labels, top, bottom, apart = 14, within = false) => {
  const kept = labels.filter(({ y }) => Number.isFinite(y)).sort((a, b) => a.y - b.y);
  let last = top - apart;
  for (const label of kept) {
    label.at = Math.max(label.y, last + apart);
    last = label.at;
  }
  let next = bottom + apart;
  for (const label of [...kept].reverse()) {
    label.at = Math.min(label.at, next - apart);
    next = label.at;
  }
  if (within) {
    const heavy = { "text-anchor": "end", "font-weight": 650, "paint-order": "stroke", stroke: theme().ground, "stroke-width": 4 };
    // The lowest stands below its curve, in short lines.
    return kept.map(({ at, words, colour }, i) => {
      const below = i > 0 && i === kept.length - 1 && at + 48 < bottom;
      const lines = below ? words.split(" ") : [words];
      return lines.map((one, row) => text(x - 2, at + (below ? 4 + 22 * lines.length + 13 * row : -7), one, { ...heavy, fill: colour })).join("");
    }).join("");
  }
  return kept
    .map(({ at, words, colour, dash }) =>
      line(x + 3, at, x + 17, at, { stroke: colour, "stroke-width": 2.5, "stroke-dasharray": dash }) +
      text(x + 21, at + 4, words, { fill: theme().ink }))
    .join("");
};
