"use strict";

// The first chart: the bandit of a chip, from its table; or one that is played while A is dragged.
const byId = (id) => document.getElementById(id);
/** The text of a packed part of the page: a drawing, details of claims, the simulator. */
const unpacked = async (name) => {
  const bytes = Uint8Array.from(atob(byId(`packed-${name}`).textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
};

const chart = (() => {
  const [HARD, UCB1, COMMITTING] = ["hard_threshold_ucb", "ucb1", "explore_then_commit"];
  const NAMES = { [HARD]: "keeps the promise", [UCB1]: "pays the fines (UCB1)", [COMMITTING]: "explores, then commits" };
  const mark = (name, given, inside = "") =>
    `<${name}${Object.entries(given).map(([key, value]) => ` ${key}="${typeof value === "number" ? Math.round(value * 10) / 10 : value}"`).join("")}>${inside}</${name}>`;
  const path = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L");
  const short = (n) => (n >= 1e6 ? `${n / 1e6} M` : n >= 1e3 ? `${n / 1e3} k` : String(n));
  const rounded = (n) => Number(n.toPrecision(3)).toLocaleString("en");
  const powers = (low, high) => [...Array(12).keys()].map((e) => 10 ** (e - 2)).filter((v) => v >= low * 0.999 && v <= high * 1.001);

  /** A bandit as its table has it: of each policy [T, mean, low, high], and the crossing. */
  const read = (table) => {
    const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.dataset.at.split(" ").map(Number)));
    const heads = [...table.querySelectorAll("[data-policy]")].map((head) => head.dataset.policy);
    const curves = Object.fromEntries(heads.map((policy, i) => [policy, rows.map(([t, ...ends]) => [...t, ...ends[i]])]));
    return { curves, ends: Number(table.dataset.ends), crossing: table.dataset.crossing?.split(" ").map(Number) };
  };

  /** Draw it; ``range`` has the ends of both axes, where these are to keep still. */
  const draw = (box, { curves, ends, crossing, range }, label) => {
    const width = Math.max(box.clientWidth, 280);
    const narrow = width < 640;
    const [height, left, right, top, bottom] = narrow ? [300, 38, 22, 8, 40] : [272, 50, 214, 8, 40];
    const all = Object.values(curves).flat();
    const [first, last, low, high] = range ?? [all[0][0], all.at(-1)[0], 0.8 * Math.min(...all.map((p) => p[1])), 1.25 * Math.max(...all.map((p) => p[1]))];
    const x = (t) => left + (width - left - right) * Math.log(Math.max(t, first) / first) / Math.log(last / first);
    const y = (lost) => height - bottom - (height - top - bottom) * Math.log(Math.max(lost, low) / low) / Math.log(high / low);
    const points = (policy) => curves[policy].map(([t, mean]) => [x(t), y(mean)]);
    const text = (at, over, words, given = {}) => mark("text", { x: at, y: over, ...given }, words);
    const [middle, end] = [{ "text-anchor": "middle" }, { "text-anchor": "end" }];
    const inside = [];
    if (ends > first && ends < last) {
      inside.push(mark("rect", { x: left, y: top, width: x(ends) - left, height: height - top - bottom, class: "paper-ends" }));
      inside.push(text(x(ends) - 6, height - bottom - 7, x(ends) - left < 210 ? "Figure 1 ends" : "the paper's Figure 1 ends here", end));
    }
    for (const lost of powers(low, high)) inside.push(mark("line", { x1: left, x2: width - right, y1: y(lost), y2: y(lost), class: "grid" }) + text(left - 7, y(lost) + 4, short(lost), end));
    for (const t of powers(first, last)) inside.push(text(x(t), height - bottom + 17, short(t), middle));
    inside.push(text((left + width - right) / 2, height - 4, "choices made, T", middle));
    const [hard, free] = [points(HARD), points(UCB1)];
    // Of the two losses the smaller: above it lies what the promise costs, or saves.
    const least = hard.map(([at, over], i) => [at, Math.max(over, free[i][1])]).reverse();
    inside.push(mark("path", { d: `M${path([...hard, ...least])}Z`, class: "cost" }), mark("path", { d: `M${path([...free, ...least])}Z`, class: "saving" }));
    for (const policy of Object.keys(curves).reverse()) {
      const step = Math.max(3, Math.round(curves[policy].length / 12));
      inside.push(mark("path", { d: `M${path(points(policy))}`, class: `curve ${policy}` }));
      curves[policy].forEach(([t, , least_, most], i) => {
        if (i % step === 0 && most > low) inside.push(mark("line", { x1: x(t), x2: x(t), y1: y(least_), y2: y(most), class: `bar ${policy}` }));
      });
    }
    if (crossing) {
      const [at, from, to] = crossing.map(x);
      const i = Math.max(1, hard.findIndex(([place]) => place >= at));
      const share = (at - hard[i - 1][0]) / (hard[i][0] - hard[i - 1][0] || 1);
      const over = [hard, free].map((line) => line[i - 1][1] + share * (line[i][1] - line[i - 1][1])).reduce((a, b) => (a + b) / 2);
      const [place, beside] = at > 0.6 * width ? [at - 12, over - 14] : [at + (narrow ? -30 : 2), over + 24];
      const turned = at > 0.6 * width ? end : {};
      inside.push(
        mark("line", { x1: from, x2: to, y1: over, y2: over, class: "interval" }),
        mark("circle", { cx: at, cy: over, r: 5.5, class: "crossing" }),
        text(place, beside, `${rounded(crossing[0])} choices`, { ...turned, class: "at" }),
      );
    }
    const names = Object.keys(curves).map((policy) => ({ policy, at: points(policy).at(-1)[1] + 5 })).sort((a, b) => a.at - b.at);
    names.forEach((name, i) => {
      name.at = narrow ? height - bottom - 8 - 18 * (names.length - 1 - i) : Math.max(name.at, (names[i - 1]?.at ?? 0) + 19);
      inside.push(text(width - right + (narrow ? 0 : 9), name.at, NAMES[name.policy], { ...(narrow && end), class: `name ${name.policy}` }));
    });
    box.innerHTML = mark("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label.replace(/[<>&"]/g, " ") }, inside.join(""));
  };
  return { HARD, UCB1, draw, read, rounded };
})();

// --- The bandit that is played
const live = (() => {
  const rate = byId("rate");
  const state = JSON.parse(byId("live-state").textContent);
  const gaps = state.means.map((mean) => Math.max(...state.means) - mean);
  let [worker, run, busy, wanted] = [null, 0, false, null];

  const curvesOf = (records) => Object.fromEntries([chart.HARD, chart.UCB1].map((id, p) => [id, records.map(({ n, policies }) => {
    const { many, mean, squares } = policies[p].regret;
    const half = many < 2 ? 0 : state.quantile * Math.sqrt(squares / (many - 1) / many);
    return [n, mean, mean - half, mean + half];
  }).filter(([n]) => n >= 100)]));
  /** Where the means cross for the last time, if their intervals are apart before it and at the end. */
  const crossingOf = (curves) => {
    const ahead = curves[chart.UCB1].map(([n, mean, low, high], i) => {
      const [, hard, least, most] = curves[chart.HARD][i];
      return { n, by: mean - hard, clear: least > high || most < low };
    });
    const i = ahead.findLastIndex(({ by }) => by < 0);
    if (i < 0 || i + 1 === ahead.length || !ahead.at(-1).clear || !ahead.some(({ by, clear }) => by < 0 && clear)) return undefined;
    const at = ahead[i].n + (ahead[i + 1].n - ahead[i].n) * ahead[i].by / (ahead[i].by - ahead[i + 1].by);
    return Array(3).fill(Number(at.toPrecision(2)));
  };
  const found = ({ penalty, curves, crossing }) => {
    const options = (which) => gaps.flatMap((gap, k) => (gap > 0 && which(gap) ? [`option ${k + 1} (gap ${Number(gap.toPrecision(3))})`] : []));
    const worth = options((gap) => gap < penalty);
    const words = worth.length ? `Worth the share: ${worth.join(" and ")}.` : "No option is worth its share, because no gap is below A.";
    const [hard, free] = [chart.HARD, chart.UCB1].map((id) => curves[id].at(-1));
    if (!penalty) return `${words} Without a fine the two are the same policy.`;
    if (crossing) return `${words} The promise pays after about ${chart.rounded(crossing[0])} choices.`;
    if (hard[3] < free[2]) return `${words} The promise costs less.`;
    if (hard[2] <= free[3]) return `${words} Neither clearly costs less after ${chart.rounded(hard[0])} choices.`;
    return `${words} ${worth.length ? `Paying still costs less after ${chart.rounded(hard[0])} choices: so near the gap it takes longer` : "The crossing is gone: paying costs less"}.`;
  };
  const post = () => {
    if (busy || wanted.asked) return;
    wanted.asked = busy = true;
    worker.postMessage({ run, state: { ...state, penalties: gaps.map(() => wanted.penalty) } });
  };
  /** Play with the slider's A: no queue while it moves. */
  const ask = () => {
    const penalty = Number(rate.value);
    wanted = { penalty, records: [], preview: [] };
    run += 1;
    byId("rate-shown").textContent = rate.value;
    const worth = gaps.flatMap((gap, k) => (gap > 0 && gap < penalty ? [k + 1] : []));
    rate.setAttribute("aria-valuetext", `${rate.value}, ${worth.length ? `worth its share: option ${worth.join(", ")}` : "no option is worth its share"}`);
    [...byId("gaps").children].forEach((mark) => mark.classList.toggle("worth", mark.dataset.gap < penalty));
    post();
  };
  const take = (data, show) => {
    if (data.begun || data.problem) {
      busy = false;
      post();
    }
    if (data.run !== run) return;
    wanted.preview.push(...(data.preview ?? []));
    wanted.records.push(...(data.records ?? []));
    if (!data.whole && !data.finished) return;
    const curves = curvesOf(data.whole ? wanted.preview : wanted.records);
    const view = { penalty: wanted.penalty, curves, range: [100, state.horizon, 1, 6000] };
    if (data.finished) view.crossing = crossingOf(curves);
    if (data.finished) byId("live-said").textContent = found(view);
    show(view);
  };
  const begin = async (show) => {
    worker = new Worker(URL.createObjectURL(new Blob([await unpacked("worker")], { type: "text/javascript" })));
    worker.onmessage = ({ data }) => take(data, show);
    byId("gaps").innerHTML = gaps.map((gap, k) => (gap > 0 ? `<span data-gap="${gap}" style="--at: ${gap / rate.max}">gap ${Number(gap.toPrecision(3))}\noption ${k + 1}</span>` : "")).join("");
    rate.addEventListener("input", ask);
    ask();
  };
  return { begin };
})();

// --- Chips
(() => {
  const box = byId("chart");
  const chips = [...document.querySelectorAll("[data-show]")];
  const tables = new Map([...document.querySelectorAll("[data-of] table")].map((table) => [table.closest("[data-of]").dataset.of, table]));
  let [shown, played] = ["", null];
  const draw = () => {
    const view = shown === "live" ? played : chart.read(tables.get(shown));
    const said = document.querySelector(`.said [data-of="${CSS.escape(shown)}"]`).textContent;
    if (view) chart.draw(box, view, `Penalized regret against the choices made. ${said}`);
  };
  const show = (name) => {
    if (name === "live" && shown !== name && !played) live.begin((view) => { played = view; if (shown === "live") draw(); });
    shown = name;
    for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.dataset.show === name));
    for (const part of document.querySelectorAll("[data-of]")) part.hidden = part.dataset.of !== name;
    draw();
  };
  for (const chip of chips) chip.addEventListener("click", () => show(chip.dataset.show));
  chips[0].parentElement.hidden = false;
  show(chips[0].dataset.show);
  new ResizeObserver(draw).observe(box);
})();
