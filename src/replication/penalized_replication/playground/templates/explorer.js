// The explorer of Figure 2: which arms miss how much of their share, against a common rate A.

/** Colours of arms in the order of their gaps. */
const inOrder = (place, many) => `hsl(${Math.round(230 - (250 * place) / Math.max(many - 1, 1))} 65% ${(darkScheme.matches ? 64 : 36) + 8 * (place % 2)}%)`;

const explorerPanel = ({ state, most, horizon, curves, breaks, points }, width) => {
  const box = boxOf(width, 360);
  const gaps = gapsOf(state.means);
  const order = gaps.map((_, k) => k).sort((a, b) => gaps[a] - gaps[b] || a - b);
  const colour = (k) => inOrder(order.indexOf(k), order.length);
  const owed = order.filter((k) => state.fairness[k] > 0);
  const x = linear(0, most, box.left, box.right);
  const y = linear(0, 1, box.bottom - 26, box.top);
  y.write = (share) => `${Math.round(share * 100)} %`;
  const inside = [axes(box, x, y, "penalty rate A of all arms", "missed part of its share")];
  for (const k of owed) {
    inside.push(curve(curves.map(([rate, missed]) => [x(rate), y(missed[k])]), { stroke: colour(k) }));
    for (const [rate, missed] of points ?? []) {
      inside.push(mark("circle", { cx: x(rate), cy: y(missed[k]), r: 3, fill: theme().ground, stroke: colour(k), "stroke-width": 1.4 }));
    }
  }
  for (const k of owed.filter((one) => breaks[one] > 0 && breaks[one] <= most)) {
    const [at, gap, low] = [x(breaks[k]), x(gaps[k]), box.bottom - 9];
    inside.push(
      line(at, low, gap, low, { stroke: colour(k) }),
      line(gap, low - 7, gap, low + 7, { stroke: colour(k), "stroke-width": 2.5 }),
      mark("path", { d: `M${round(at - 5)} ${round(low + 6)}h10l-5 -11Z`, fill: colour(k) }),
    );
  }
  if (box.labels) {
    const labels = [...owed].reverse().slice(0, 12).map((k) => ({ y: box.top, words: `${clipped(nameOf(state, k), 70)}, Δ = ${shown(gaps[k], 2)}`, colour: colour(k) }));
    inside.push(endLabels(box.right, labels, box.top, box.bottom, 16));
  }
  const told_ = owed.map((k) => `${nameOf(state, k)} at ${shown(breaks[k])}, gap ${shown(gaps[k])}`).join("; ");
  return picture(box.width, box.height, `Missed shares against the penalty rate at T = ${shown(horizon)}`, `Rates at which arms come up to their shares: ${told_}.`, inside.join(""));
};

/** Starts a worker of its own, once the panel has been in sight. */
class Explorer {
  constructor(newWorker, draw) {
    [this.run, this.now] = [0, null];
    new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting || this.worker) return;
      this.worker = newWorker();
      this.worker.onmessage = ({ data }) => {
        if (data.run !== this.run || data.problem) return;
        Object.assign(this.next, data);
        this.now = this.next;
        draw();
      };
      this.ask();
    }).observe(byId("explorer"));
    byId("far").addEventListener("input", () => this.ask());
  }

  take(state) {
    this.state = state;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask(), 200);
  }

  ask() {
    const horizon = 10 ** Number(byId("far").value);
    byId("far-shown").textContent = shown(horizon, 2);
    if (!this.worker || !this.state) return;
    const most = clean(Math.max(0.1, ...gapsOf(this.state.means)) * 1.15, 3);
    this.run += 1;
    this.next = { state: this.state, most, horizon, points: this.now?.state === this.state ? this.now.points : null };
    if (horizon < this.state.means.length) return;
    this.worker.postMessage({ run: this.run, explore: { state: playable(this.state), horizon, most } });
  }
}
