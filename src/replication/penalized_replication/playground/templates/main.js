// The page at work: the worker computes, the clock goes through what it has computed.

const PANELS = {
  regret: regretPanel, tradeoff: tradeoffPanel, costs: costPanel,
  "guide-curve": (view, width) => regretPanel({ ...view, theory: null, axis: "both", range: [1, 6000], from: 100, height: 250 }, width),
  explored: (view, width) => (explorer.now?.curves ? explorerPanel(explorer.now, width) : ""),
};
const SOON = 350; // milliseconds for which an old picture stays while a new one is computed
const REFRESH = 200; // milliseconds between pictures while it is computed
const app = {
  state: null, address: "", axis: "log", watched: 0, run: 0,
  place: 0, follow: true, playing: false, due: new Set(), row: 0, board: null,
  shown: null, coming: null, asked: null, refreshed: 0, drawn: {}, pushed: 0,
};

const workerText = ["engine", "theory", "worker"].map((id) => byId(id).textContent).join("\n");
const newWorker = () => new Worker(URL.createObjectURL(new Blob([workerText], { type: "text/javascript" })));
const worker = newWorker();
const explorer = new Explorer(newWorker, () => redraw("explored"));

const PARTS = ["guide", "guide-curve", "board", "scores", "regret", "tradeoff", "costs"];
/** What is drawn: the records up to the clock. */
const viewNow = () => {
  const { shown: one } = app;
  if (!one?.records.length) return null;
  const last = Math.min(Math.floor(app.place), one.records.length - 1);
  return {
    run: one.run, state: one.state, theory: one.theory, looks: looksOf(one.state.policies),
    all: one.records, records: one.records.slice(0, last + 1), after: one.records[last + 1],
    watched: Math.min(app.watched, one.state.policies.length - 1), axis: app.axis,
    finished: Boolean(one.finished), atEnd: last === one.checkpoints.length - 1,
  };
};
const redraw = (...what) => {
  for (const one of what.length ? what : PARTS) app.due.add(one);
  markOld();
};
/** Grey each part that shows another run than the one asked for. */
const markOld = () => {
  for (const part of PARTS) byId(part).classList.toggle("old", part !== "guide" && app.drawn[part] !== app.coming?.run);
};
/** Ask for the newest run once the worker has begun the one before: no queue while a slider moves. */
const ask = () => {
  if (app.asked || !app.coming || app.coming.asked) return;
  app.asked = app.coming;
  app.coming.asked = true;
  worker.postMessage({ run: app.coming.run, state: playable(app.coming.state) });
};

const start = (state) => {
  app.state = state;
  app.run += 1;
  app.watched = Math.min(app.watched, state.policies.length - 1);
  app.coming = { run: app.run, state, records: [], preview: [], checkpoints: [], theory: null, began: performance.now() };
  if (app.playing) app.place = 0;
  setRefused(false);
  byId("summary").textContent = banditOf(state);
  ask();
  redraw();
  explorer.take(state);
};
/** Mark what the form holds as playable or not; of what is not, there are no results. */
const setRefused = (refused) => {
  byId("stage").classList.toggle("refused", refused);
  for (const control of document.querySelectorAll("#transport :is(button, input), #take button")) control.disabled = refused;
};
/** Forget what was played, and say why nothing is. */
const refuse = (words) => {
  [app.shown, app.coming, app.board, app.row] = [null, null, null, 0];
  setPlaying(false);
  setRefused(true);
  notice(words);
};

/** Show one replicate of a bandit that a slider has come to, until there are more. */
const showPreview = (one) => {
  if (app.playing || !app.follow || one.finished) return;
  const checkpoints = one.preview.map(({ n }) => n);
  app.shown = { ...one, records: one.preview, checkpoints, isPreview: true };
  app.place = checkpoints.length - 1;
  redraw();
};

worker.onmessage = ({ data }) => {
  const one = [app.coming, app.asked].find((each) => each?.run === data.run);
  if (data.begun || data.problem) {
    app.asked = null;
    ask();
  }
  if (!one) return;
  if (data.checkpoints) one.checkpoints = data.checkpoints;
  if (data.theory) one.theory = data.theory;
  if (data.preview) one.preview.push(...data.preview);
  if (data.whole) showPreview(one);
  if (one !== app.coming) return;
  if (data.problem) {
    refuse(data.problem);
    return;
  }
  if (data.records) one.records.push(...data.records);
  if (data.pulls) one.speed = data.pulls / Math.max(data.seconds, 1e-3);
  one.finished = Boolean(data.finished);
  const now = performance.now();
  if (!one.records.length || (!one.finished && now - app.refreshed < REFRESH)) return;
  const soon = app.shown?.isPreview ? 4 * SOON : SOON;
  if (one.finished || app.playing || app.shown === one || now - one.began > soon) {
    app.refreshed = now;
    app.shown = one;
    if (app.follow && !app.playing) app.place = one.records.length - 1;
    redraw();
  }
};

const notice = (words) => {
  byId("address-problem").textContent = words;
  byId("address-problem").hidden = !words;
};

// --- Drawing: one part a frame, so that no frame is long

const widthOf = (id) => Math.max(280, byId(id).clientWidth);
const drawPanel = (id, view) => {
  byId(id).innerHTML = PANELS[id](view, widthOf(id));
  if (id === "regret") {
    const found = view.finished ? crossings(view) : [];
    const items = found.slice(0, 4).map((words) => make("li", { textContent: words }));
    if (byId("crossings").textContent !== found.slice(0, 4).join("")) byId("crossings").replaceChildren(...items);
  }
};
const drawScores = (view) => {
  const place = byId("scores");
  const key = view.state.policies.map(({ id }) => id).join();
  if (place.dataset.key !== key) {
    place.dataset.key = key;
    place.replaceChildren(...view.state.policies.map(({ id }, p) => {
      const button = make("button", { type: "button", className: "score", title: "Watch this policy's pulls and index" });
      button.append(make("span", { className: "who", textContent: labelOf(id) }), make("span", { className: "lost" }), make("span", { className: "hint" }));
      button.addEventListener("click", () => {
        app.watched = p;
        redraw();
      });
      return button;
    }));
  }
  const record = view.records.at(-1);
  const many = view.state.replicates;
  [...place.children].forEach((button, p) => {
    const one = record.policies[p];
    button.style.setProperty("--own", view.looks[p].colour);
    button.setAttribute("aria-pressed", String(p === view.watched));
    button.children[1].innerHTML = `${escaped(withHalf(estimate(one.regret)))} <small>penalized regret</small>`;
    button.children[2].textContent = `reward ${shown(one.reward.mean / record.n)} a round, ${shown(one.unfairness.mean)} pulls missed`;
  });
  byId("board").style.setProperty("--own", view.looks[view.watched].colour);
  byId("board-who").textContent = `by ${labelOf(view.state.policies[view.watched].id)}${many > 1 ? ", first of " + grouped(many) + " replicates" : ""}; thin lines: the others`;
};
/** As many rows as a frame has time for, all of one round: a later one waits until they are drawn. */
const drawRows = (now) => {
  if (!app.board) app.due.delete("board");
  const view = (app.board ??= now);
  const until = performance.now() + 8;
  const rows = Math.min(controls.rows.length, view.state.means.length);
  while (app.row < rows && performance.now() < until) {
    drawRow(view, controls.rows[app.row], app.row);
    app.row += 1;
  }
  if (app.row < rows) return;
  app.row = 0;
  app.board = null;
  app.drawn.board = view.run;
  markOld();
  drawClock(view);
};
const drawClock = (view) => {
  const { shown: one } = app;
  const last = Math.min(Math.floor(app.place), one.records.length - 1);
  const time = byId("time");
  time.max = one.checkpoints.length - 1;
  time.value = last;
  const { n } = view.records.at(-1);
  time.setAttribute("aria-valuetext", `round ${n}`);
  const busy = app.coming && !app.coming.finished ? ` · computing ${Math.round((100 * app.coming.records.length) / Math.max(1, app.coming.checkpoints.length))} %` : "";
  byId("clock").textContent = `round ${grouped(n)} of ${grouped(view.state.horizon)}${one.isPreview ? " · preview, 1 replicate" : busy}`;
};

/** Draw a part that is due; false if none is. */
const drawNext = () => {
  const [next] = app.board ? ["board"] : app.due;
  const view = next && viewNow();
  if (!view) return false;
  if (next === "board") drawRows(view);
  else {
    app.due.delete(next);
    app.drawn[next] = view.run;
    if (next === "scores") drawScores(view);
    else if (next === "guide") guide.draw(view, app.state);
    else drawPanel(next, view);
    markOld();
  }
  return true;
};

let before = performance.now();
const tick = (now) => {
  const passed = Math.min(now - before, 200) / 1000;
  before = now;
  if (app.playing && app.shown) {
    const last = app.shown.records.length - 1;
    const was = Math.floor(app.place);
    app.place = Math.min(app.place + passed * Number(byId("speed").value), last);
    if (Math.floor(app.place) !== was) redraw();
    if (app.place >= last && app.shown === app.coming && app.shown.finished) setPlaying(false);
  }
  drawNext();
  requestAnimationFrame(tick);
};

// --- Time

const setPlaying = (playing) => {
  app.playing = playing;
  byId("play").textContent = playing ? "❚❚ Pause" : "▶ Play";
  byId("play").setAttribute("aria-pressed", String(playing));
};
const goTo = (place) => {
  const last = (app.shown?.records.length ?? 1) - 1;
  app.place = Math.min(Math.max(place, 0), last);
  app.follow = app.place === last;
  redraw();
};
byId("play").addEventListener("click", () => {
  if (!app.playing && app.shown && app.place >= app.shown.checkpoints.length - 1) goTo(0);
  setPlaying(!app.playing);
});
const stopAt = (place) => {
  setPlaying(false);
  goTo(place);
};
byId("step").addEventListener("click", () => stopAt(Math.floor(app.place) + 1));
byId("restart").addEventListener("click", () => stopAt(0));
byId("time").addEventListener("input", ({ target }) => stopAt(Number(target.value)));

window.addEventListener("beforeprint", () => {
  stopAt(Infinity);
  while (drawNext());
});

// --- What it begins with, and what is taken away

byId("preset").append(...optionsOf([["", "a bandit of your own"]]), ...inGroups(DATA.presets.map(({ id, title, group }) => [id, `${group.split(":")[0]}: ${title}`, group])));
const showPreset = (state) => {
  const mine = addressOf(state);
  const same = DATA.presets.find((preset) => addressOf(preset.state) === mine);
  byId("preset").value = same?.id ?? "";
  byId("preset-text").textContent = same?.text ?? "";
};
byId("preset").addEventListener("change", ({ target }) => {
  const preset = DATA.presets.find(({ id }) => id === target.value);
  if (preset) open(preset.state);
});

const setAxis = (axis) => {
  app.axis = axis;
  for (const one of Object.keys(AXES)) byId(`axis-${one}`).setAttribute("aria-pressed", String(one === axis));
  redraw("regret");
};
for (const axis of Object.keys(AXES)) byId(`axis-${axis}`).addEventListener("click", () => setAxis(axis));

const take = async (words, said) => {
  const copied = await copyText(words);
  const box = byId("to-copy");
  box.value = words;
  box.hidden = copied;
  byId("taken").textContent = copied ? said : "The browser does not allow copying: take the text from here.";
  if (!copied) box.select();
};
byId("copy-link").addEventListener("click", () => take(window.location.href, "The link is copied."));
byId("copy-python").addEventListener("click", () => take(asPython(app.state), "Copied: the same pulls with the package."));
const pictureNow = () => {
  const which = byId("which").value;
  const svg = which === "board" ? boardPicture(viewNow()) : PANELS[which](viewNow(), 760);
  return [`playground-${which}`, signed(svg, app.state)];
};
byId("save-svg").addEventListener("click", () => saveSvg(...pictureNow()));
byId("save-png").addEventListener("click", () => savePng(...pictureNow()));
byId("save-csv").addEventListener("click", () => save("playground.csv", asTable(viewNow()), "text/csv"));

/** Write the address; each change that comes after a pause can be undone by going back. */
const setAddress = (address) => {
  const [now, before_] = [performance.now(), app.address];
  app.address = address;
  if (address === window.location.hash) return;
  if (before_ && now - app.pushed > 800) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  app.pushed = now;
};
const apply = (state) => {
  notice("");
  showPreset(state);
  start(state);
  setAddress(addressOf(state));
};
const controls = new Controls(GUIDED, apply);
/** Take a whole state; the guide is there for its own bandit alone. */
const open = (state) => {
  app.watched = 0;
  byId("guide").hidden = !isGuided(state);
  controls.set(state);
};
const guide = new Guide(open, (rate) => controls.edit((draft) => {
  draft.penalties = draft.means.map(() => rate);
}), () => redraw("guide"));
controls.refused = () => {
  showPreset(controls.draft);
  // What is wrong is said at its control; above too only what an address left wrong.
  refuse(byId("address-problem").hidden ? "" : Object.values(controls.problems).join(" "));
};
const readAddress = () => {
  const given = window.location.hash;
  // A jump within the page is no bandit.
  if (app.address && !given.includes("=")) {
    setAddress(app.address);
    return;
  }
  const { state, dropped } = stateAt(given, GUIDED);
  // At about round 1,000: enough to see, and nothing is given away before the guess.
  if (!app.address && !given.includes("=")) [app.follow, app.place] = [false, 178];
  open(state);
  const problems = [...dropped, ...Object.values(controls.problems)];
  if (!problems.length) return;
  notice(`The address could not be taken as it is. ${problems.join(" ")}`);
  // Until the user changes something: it may be mended there.
  setAddress(given);
};
window.addEventListener("hashchange", readAddress);
const resize = new ResizeObserver(() => {
  controls.measure();
  redraw(...PARTS, "explored");
});
resize.observe(byId("stage"));
darkScheme.addEventListener("change", () => {
  controls.show();
  redraw(...PARTS, "explored");
});
setAxis("log");
byId("change").open = window.matchMedia("(min-width: 64rem)").matches;
readAddress();
requestAnimationFrame(tick);
