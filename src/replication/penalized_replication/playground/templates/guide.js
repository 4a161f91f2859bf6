// Three guided steps: guess, play, drag A.  Each sentence is about the state that is shown.

const RIVALS = ["hard_threshold_ucb", "ucb1"];
const GUIDED = DATA.presets.find(({ id }) => id === DATA.first).state;
/** Whether a state is the guide's but for A. */
const isGuided = (state) => ["means", "fairness", "law", "horizon", "seed"].every((key) => JSON.stringify(state[key]) === JSON.stringify(GUIDED[key]))
  && RIVALS.every((id) => state.policies.some((one) => one.id === id));

class Guide {
  /** ``set`` takes a state, ``change`` a rate A for all arms, ``redraw`` draws a new picture. */
  constructor(set, change, redraw) {
    this.again();
    for (const button of document.querySelectorAll("#guide [data-guess]")) {
      button.textContent = labelOf(button.dataset.guess);
      button.addEventListener("click", () => {
        this.again();
        this.guess = button.dataset.guess;
        set(GUIDED);
        byId("restart").click();
        this.say(0, `You guess ${labelOf(this.guess)}.`);
        this.go(1);
        // On a phone all that the next steps need is then in sight.
        if (window.innerWidth < 768) byId("guide").scrollIntoView({ behavior: "instant" });
        redraw();
      });
    }
    byId("guide-play").addEventListener("click", () => byId("play").click());
    byId("guide-rate").addEventListener("input", ({ target }) => change(Number(target.value)));
  }

  /** Forget the guess, and what was said of it. */
  again() {
    [this.guess, this.first] = [null, null];
    for (const step of [0, 1, 2]) this.say(step, "");
    this.go(0);
  }

  go(step) {
    this.step = step;
    [...byId("guide").querySelectorAll("li")].forEach((item, i) => {
      item.classList.toggle("current", i === step);
      item.classList.toggle("ahead", i > step);
      item.classList.toggle("done", i < step);
    });
    for (const button of document.querySelectorAll("#guide [data-guess]")) {
      button.setAttribute("aria-pressed", String(button.dataset.guess === this.guess));
    }
    byId("guide-curve").hidden = step === 0;
  }

  /** Speak of a view; ``asked`` is the newest state, which may not be shown yet. */
  draw(view, asked) {
    if (!isGuided(asked)) {
      this.again();
      this.say(0, "What is shown is another bandit, or another run: a guess loads the guide's three arms.");
    }
    if (document.activeElement !== byId("guide-rate")) [byId("guide-rate").value] = asked.penalties;
    byId("guide-rate-shown").textContent = allSame(asked.penalties) ? shown(asked.penalties[0]) : "";
    if (!this.guess || !isGuided(view.state)) return;
    const now = this.standing(view, ...RIVALS.map((id) => view.state.policies.findIndex((one) => one.id === id)));
    if (this.step === 1) this.say(1, this.played(now));
    if (this.step === 1 && now.done) {
      this.first = { rate: now.rate, words: this.where(now) };
      this.go(2);
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
      lost, done, horizon, n: record.n, same: penalties.every(isZero),
      ahead: apart(...lost) ? RIVALS[lost[0][0] < lost[1][0] ? 0 : 1] : null,
      crossing: done ? crossedIn(view).find((one) => RIVALS.includes(one.better) && RIVALS.includes(one.worse)) : null,
      rate: allSame(penalties) ? shown(penalties[0]) : "now different for each arm",
    };
  }

  say(step, words) {
    const place = byId("guide").querySelectorAll(".now")[step];
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

  where({ crossing, ahead, horizon, same }) {
    if (same) return "they are the same policy";
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
