// The chart of the reproduction page: three arms, a slider of A, and two curves that cross or not.

// Axes keep still while A moves: regret, and the first round.
const FRAME = { axis: "both", range: [1, 6000], from: 100, theory: null };
const byId = (id) => document.getElementById(id);

class Live {
  constructor(worker) {
    [this.worker, this.run, this.busy, this.next] = [worker, 0, false, null];
    worker.onmessage = ({ data }) => this.take(data);
    const rate = byId("rate");
    const { means, penalties } = DATA.presets[0].state;
    [rate.value] = penalties;
    this.marks = gapsOf(means).map((gap, k) => {
      if (!gap) return null;
      const mark_ = document.createElement("span");
      mark_.style.setProperty("--at", gap / rate.max);
      mark_.textContent = `gap ${shown(gap)}\narm ${k + 1}`;
      byId("gaps").append(mark_);
      return mark_;
    });
    rate.addEventListener("input", () => this.ask());
    darkScheme.addEventListener("change", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(byId("live"));
    this.ask();
  }

  /** Play the bandit with the slider's A: no queue while it moves. */
  ask() {
    const rate = Number(byId("rate").value);
    const state = { ...DATA.presets[0].state, penalties: DATA.presets[0].state.means.map(() => rate) };
    this.next = { run: (this.run += 1), rate, state, records: [], finished: false };
    byId("rate-shown").textContent = shown(rate);
    marginsOf(state).forEach((margin, k) => this.marks[k]?.classList.toggle("worth", margin > 0));
    this.post();
  }

  post() {
    if (this.busy || !this.next || this.next.asked) return;
    this.next.asked = this.busy = true;
    this.worker.postMessage({ run: this.next.run, state: playable(this.next.state) });
  }

  take(data) {
    if (data.begun || data.problem) {
      this.busy = false;
      this.post();
    }
    if (data.run !== this.run) return;
    if (data.preview) (this.next.preview ??= []).push(...data.preview);
    if (data.whole) this.show(this.next.preview);
    if (data.records) this.next.records.push(...data.records);
    this.next.finished = Boolean(data.finished);
    if (data.finished) this.show(this.next.records);
  }

  show(records) {
    const { state, finished, rate } = this.next;
    this.view = { state, records, all: records, finished, rate, ...FRAME };
    this.draw();
    if (finished) byId("live-said").textContent = `${this.worth()} ${this.outcome()}`;
  }

  draw() {
    if (!this.view) return;
    this.view.looks = looksOf(this.view.state.policies);
    byId("live").innerHTML = regretPanel(this.view, Math.max(280, byId("live").clientWidth));
  }

  worth() {
    const { state, rate } = this.view;
    const gaps = gapsOf(state.means);
    const margins = marginsOf(state);
    const named = (k) => `arm ${k + 1} (gap ${shown(gaps[k])})`;
    const [yes, no] = [(m) => m > 0, (m) => m <= 0].map((is) => armsWith(margins, is).filter((k) => gaps[k] > 0).map(named));
    if (!yes.length) return `A = ${shown(rate)}: no arm is worth its share, because no gap is below A.`;
    const rest = no.length ? `, ${no.join(" and ")} ${no.length > 1 ? "are" : "is"} not` : "";
    return `A = ${shown(rate)}: ${yes.join(" and ")} ${yes.length > 1 ? "are" : "is"} worth a share${rest}.`;
  }

  outcome() {
    const [hard, free] = this.view.records.at(-1).policies.map(({ regret }) => estimate(regret));
    const { horizon } = this.view.state;
    const [crossing] = crossedIn(this.view);
    if (isZero(this.view.rate)) return "Without a penalty the two are the same policy.";
    if (!apart(hard, free)) return `Neither is clearly ahead in round ${grouped(horizon)}.`;
    if (hard[0] < free[0]) {
      return crossing ? `The fair policy overtakes UCB1 at about round ${aboutRound(crossing.n)}.` : "The fair policy is ahead.";
    }
    const near = marginsOf(this.view.state).some((margin, k) => margin > 0 && gapsOf(this.view.state.means)[k] > 0);
    return near ? `UCB1 is still ahead in round ${grouped(horizon)}: so near the gap it takes longer.` : "The crossing is gone: UCB1 stays ahead.";
  }
}

new Live(new Worker(URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }))));
