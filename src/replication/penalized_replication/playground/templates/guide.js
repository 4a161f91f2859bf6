// Three guided steps: guess, play, drag A.  Each sentence is about the state that is shown.

const RIVALS = ["hard_threshold_ucb", "ucb1"];
const GUIDED = {
  means: [0.9, 0.6, 0.5], fairness: [0.1, 0.2, 0.2], penalties: [0.35, 0.35, 0.35],
  law: { id: "gaussian", sd: 0.3 }, policies: RIVALS.map((id) => ({ id, tuning: null })),
  horizon: 20_000, replicates: 50, seed: 1,
};

class Guide {
  /** ``set`` takes a state, ``redraw`` draws a new picture. */
  constructor(set, redraw) {
    [this.guess, this.step, this.first] = [null, 0, null];
    for (const button of document.querySelectorAll("#guide [data-guess]")) {
      button.textContent = labelOf(button.dataset.guess);
      button.addEventListener("click", () => {
        [this.guess, this.step, this.first] = [button.dataset.guess, 1, null];
        set(GUIDED);
        byId("restart").click();
        this.mark();
        redraw();
      });
    }
    this.mark();
  }

  mark() {
    [...byId("guide").querySelectorAll("li")].forEach((item, i) => {
      item.classList.toggle("current", i === this.step);
      item.classList.toggle("ahead", i > this.step);
    });
    for (const button of document.querySelectorAll("#guide [data-guess]")) {
      button.setAttribute("aria-pressed", String(button.dataset.guess === this.guess));
    }
  }

  draw(view) {
    if (!this.guess) return;
    const [hard, free] = RIVALS.map((id) => view.state.policies.findIndex((one) => one.id === id));
    const same = ["means", "fairness", "law", "horizon", "seed"].every((key) => JSON.stringify(view.state[key]) === JSON.stringify(GUIDED[key]));
    if (hard < 0 || free < 0 || !same) {
      this.say(this.step, "This is another bandit, or another run: guess again to start anew.");
      return;
    }
    const now = this.standing(view, hard, free);
    if (this.step === 1) this.say(1, this.played(now));
    if (this.step === 1 && now.done) {
      this.first = { rate: now.rate, words: this.where(now) };
      this.step = 2;
      this.mark();
    }
    if (this.step === 2) this.say(2, this.dragged(now));
  }

  /** What the sentences are about: losses by the round that is shown, who is clearly ahead, and
   * where the two cross, which is known at the end. */
  standing(view, hard, free) {
    const [record, { penalties, horizon }] = [view.records.at(-1), view.state];
    const lost = [hard, free].map((p) => estimate(record.policies[p].regret));
    const done = view.finished && view.atEnd;
    return {
      lost, done, horizon, n: record.n,
      ahead: apart(...lost) ? RIVALS[lost[0][0] < lost[1][0] ? 0 : 1] : null,
      crossing: done ? crossedIn(view).find((one) => RIVALS.includes(one.better) && RIVALS.includes(one.worse)) : null,
      rate: allSame(penalties) ? shown(penalties[0]) : "now different for each arm",
    };
  }

  say(step, words) {
    const place = byId("guide").querySelectorAll(".now")[step - 1];
    if (place.textContent !== words) place.textContent = words;
  }

  played({ rate, n, lost: [ours, theirs], ahead, done, crossing }) {
    const lost = `With A = ${rate}, in round ${grouped(n)} the hard threshold has lost ${withHalf(ours)}, UCB1 ${withHalf(theirs)}: `;
    if (!ahead) return `${lost}nobody is clearly ahead.`;
    const right = ahead === this.guess;
    if (!done) return `${lost}your guess is ${right ? "ahead" : "behind"}.`;
    const crossed = crossing ? ` ${labelOf(crossing.better)} overtook at about round ${aboutRound(crossing.n)} (◇ on the curve).` : "";
    return `${lost}your guess was ${right ? "right" : "wrong"}.${crossed}`;
  }

  where({ crossing, ahead, horizon }) {
    if (crossing?.better === RIVALS[0]) return `the hard threshold overtakes at about round ${aboutRound(crossing.n)}`;
    const who = { [RIVALS[0]]: "the hard threshold is", [RIVALS[1]]: "UCB1 is" }[ahead] ?? "neither is clearly";
    return `${who} ahead in round ${grouped(horizon)}`;
  }

  dragged(now) {
    if (!now.done) return `A = ${now.rate}: computing …`;
    if (now.rate === this.first.rate) return `At A = ${now.rate} ${this.first.words}.`;
    return `A = ${now.rate}: ${this.where(now)}. At A = ${this.first.rate}, ${this.first.words}.`;
  }
}
