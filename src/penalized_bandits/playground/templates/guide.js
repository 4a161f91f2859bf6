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
    const done = view.finished && view.atEnd;
    const crossing = done ? crossingsOf(view).find((one) => RIVALS.includes(one.better) && RIVALS.includes(one.worse)) : null;
    if (this.step === 1) this.say(1, this.played(view, hard, free, crossing, done));
    if (this.step === 1 && done) {
      this.first = { rate: shown(view.state.penalties[0]), words: this.where(view, hard, free, crossing) };
      this.step = 2;
      this.mark();
    }
    if (this.step === 2) this.say(2, this.dragged(view, done, () => this.where(view, hard, free, crossing)));
  }

  say(step, words) {
    const place = byId("guide").querySelectorAll(".now")[step - 1];
    if (place.textContent !== words) place.textContent = words;
  }

  /** Who has lost less by the round that is shown, and what that says of the guess. */
  played(view, hard, free, crossing, done) {
    const record = view.records.at(-1);
    const [ours, theirs] = [hard, free].map((p) => estimate(record.policies[p].regret));
    const clear = Math.abs(ours[0] - theirs[0]) > ours[1] + theirs[1];
    const ahead = ours[0] < theirs[0] ? RIVALS[0] : RIVALS[1];
    const lost = `With A = ${shown(view.state.penalties[0])}, in round ${grouped(record.n)} the hard threshold has lost ${withHalf(ours)}, UCB1 ${withHalf(theirs)}: `;
    if (!clear) return `${lost}nobody is clearly ahead.`;
    const right = ahead === this.guess;
    if (!done) return `${lost}your guess is ${right ? "ahead" : "behind"}.`;
    const crossed = crossing ? ` ${labelOf(crossing.better)} overtook at about round ${aboutRound(crossing.n)} (◇ on the curve).` : "";
    return `${lost}your guess was ${right ? "right" : "wrong"}.${crossed}`;
  }

  where(view, hard, free, crossing) {
    if (crossing?.better === RIVALS[0]) return `the hard threshold overtakes at about round ${aboutRound(crossing.n)}`;
    const [ours, theirs] = [hard, free].map((p) => estimate(view.records.at(-1).policies[p].regret));
    const clear = Math.abs(ours[0] - theirs[0]) > ours[1] + theirs[1];
    const ahead = clear ? `${ours[0] < theirs[0] ? "the hard threshold" : "UCB1"} is` : "neither is clearly";
    return `${ahead} ahead in round ${grouped(view.state.horizon)}`;
  }

  dragged(view, done, where) {
    const { penalties } = view.state;
    const now = allSame(penalties) ? shown(penalties[0]) : "now different for each arm";
    if (!done) return `A = ${now}: computing …`;
    if (now === this.first.rate) return `At A = ${now} ${this.first.words}.`;
    return `A = ${now}: ${where()}. At A = ${this.first.rate}, ${this.first.words}.`;
  }
}
