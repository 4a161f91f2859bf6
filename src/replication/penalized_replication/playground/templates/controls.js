// Controls: they show a draft of the state, and say at the place what is wrong with it.

const byId = (id) => document.getElementById(id);
const make = (name, given = {}, ...children) => {
  const element = Object.assign(document.createElement(name), given);
  element.append(...children);
  return element;
};
const optionsOf = (entries) => entries.map(([value, label]) => make("option", { value, textContent: label }));
/** Options under the labels of their groups. */
const inGroups = (entries) => [...Map.groupBy(entries, ([, , group]) => group)]
  .map(([label, group]) => make("optgroup", { label }, ...optionsOf(group)));
const resized = (values, length) =>
  Array.from({ length }, (_, k) => (k < values.length ? values[k] : values.at(-1) ?? 0.5));
/** What a field shows of a number that may be none. */
const entry = (x) => (Number.isFinite(x) ? x : "");
const rounded = (x) => Math.round(Number(x.toPrecision(2)));

/** All controls of the page; ``apply`` is given each state without problems. */
class Controls {
  constructor(state, apply) {
    this.apply = apply;
    this.draft = copyOf(state);
    // Whether τ and A have a slider in each row.
    this.each = { fairness: false, penalties: false };
    this.rows = [];
    this.listen();
    this.show();
  }

  listen() {
    const number = (id, change) => byId(id).addEventListener("input", (event) => this.edit((draft) => change(draft, numberIn(event.target.value)), event.target));
    const field = (key, of = (value) => value) => (draft, value) => {
      draft[key] = of(value, draft);
    };
    number("arms", (draft, value) => {
      if (!inRange(value, LIMITS.arms)) {
        this.arms = value;
        return;
      }
      const total = draft.fairness.reduce((a, b) => a + b, 0);
      draft.means = resized(draft.means, value);
      // The same total: a share for each arm could leave nothing to choose.
      draft.fairness = allSame(draft.fairness) ? draft.means.map(() => clean(total / value, 4)) : resized(draft.fairness, value);
      draft.penalties = resized(draft.penalties, value);
    });
    for (const key of ["fairness", "penalties"]) {
      const all = field(key, (value, draft) => draft.means.map(() => value));
      number(key, all);
      number(`${key}-slide`, all);
      byId(`${key}-each`).addEventListener("change", (event) => {
        this.each[key] = event.target.checked;
        this.edit((draft) => {
          if (!event.target.checked) all(draft, clean(draft[key].reduce((a, b) => a + b, 0) / draft[key].length, 3));
        });
      });
    }
    for (const key of ["horizon", "replicates"]) {
      number(key, field(key));
      number(`${key}-slide`, field(key, (value) => rounded(10 ** value)));
    }
    number("seed", field("seed"));
    byId("law").append(...optionsOf(OWN_LAWS.map(({ id, label }) => [id, label])), ...optionsOf(Object.entries(DATA.movies).map(([id, { titles }]) => [id, `${titles.length} movies`])));
    byId("law").addEventListener("change", (event) => this.edit((draft) => this.takeLaw(draft, event.target.value)));
    byId("add").addEventListener("change", (event) => {
      this.edit((draft) => draft.policies.push({ id: event.target.value, tuning: policyOf(event.target.value).tuning && !policyOf(event.target.value).tuning.value ? 1 : null }));
    });
    byId("absent").hidden = ABSENT.length === 0;
    byId("absent").querySelector("summary").textContent = `${ABSENT.length} policies are not here`;
    byId("absent").querySelector("ul").append(...ABSENT.map(({ label, why }) => make("li", { textContent: `${label}: ${why}` })));
    byId("controls").addEventListener("submit", (event) => event.preventDefault());
  }

  takeLaw(draft, id) {
    const was = draft.law.movies;
    if (DATA.movies[id]) {
      draft.law = { id: "categorical", movies: id };
      draft.means = meansOfMovies(DATA.movies[id]);
    } else {
      draft.law = { id };
      for (const { name, value } of lawOf(id).parameters) draft.law[name] = value;
      if (was) draft.means = draft.means.slice(0, LIMITS.arms[1]).map((mean) => clean(mean, 3));
    }
    const total = draft.fairness.reduce((a, b) => a + b, 0);
    if (draft.fairness.length !== draft.means.length) draft.fairness = draft.means.map(() => clean(total / draft.means.length, 4));
    draft.penalties = resized(draft.penalties, draft.means.length);
  }

  /** Change the draft; what is typed in ``source`` stays as it is. */
  edit(change, source) {
    this.arms = undefined;
    change(this.draft);
    this.show(source);
    if (Object.keys(this.problems).length === 0) this.apply(copyOf(this.draft));
    else this.refused();
  }

  /** Take a whole state, as a preset or an address has it. */
  set(state) {
    this.draft = copyOf(state);
    this.each = { fairness: false, penalties: false };
    this.edit(() => {});
  }

  show(source) {
    const { draft } = this;
    const put = (id, value) => {
      const control = byId(id);
      if (control !== source) control.value = entry(value);
    };
    put("arms", this.arms ?? draft.means.length);
    byId("arms").disabled = Boolean(draft.law.movies);
    byId("law").value = draft.law.movies ?? draft.law.id;
    for (const key of ["fairness", "penalties"]) {
      const values = draft[key];
      if (!allSame(values)) this.each[key] = true;
      const each = this.each[key];
      byId(`${key}-each`).checked = each;
      byId(key).disabled = each;
      byId(`${key}-slide`).disabled = each;
      put(key, each && !allSame(values) ? NaN : clean(values[0], 4));
      put(`${key}-slide`, values[0]);
    }
    const share = byId("fairness-slide");
    [share.min, share.max] = [0, clean(0.98 / draft.means.length, 2)];
    share.step = clean(Number(share.max) / 49, 3);
    byId("penalties-slide").max = Math.max(1, ...draft.penalties.filter(Number.isFinite));
    put("fairness-slide", draft.fairness[0]);
    for (const key of ["horizon", "replicates"]) {
      put(key, draft[key]);
      put(`${key}-slide`, Math.log10(Math.max(draft[key], 1)));
    }
    put("seed", draft.seed);
    this.showParameters(source);
    this.showPolicies(source);
    this.showRows(source);
    this.showProblems();
  }

  showParameters(source) {
    const place = byId("parameters");
    if (place.dataset.law !== this.draft.law.id) {
      place.dataset.law = this.draft.law.id;
      place.replaceChildren(...(lawOf(this.draft.law.id)?.parameters ?? []).map(({ name, label }) => {
        const input = make("input", { id: `law-${name}`, type: "number", step: "any", inputMode: "decimal" });
        input.addEventListener("input", () => this.edit((draft) => {
          draft.law[name] = numberIn(input.value);
        }, input));
        return make("div", { className: "field" }, make("label", { htmlFor: input.id, textContent: label }), input);
      }));
    }
    for (const input of place.querySelectorAll("input")) {
      if (input !== source) input.value = entry(clean(this.draft.law[input.id.slice(4)], 6));
    }
  }

  showPolicies(source) {
    const list = byId("policies");
    const key = this.draft.policies.map(({ id }) => id).join();
    const looks = looksOf(this.draft.policies);
    if (list.dataset.key !== key || list.dataset.dark !== String(darkScheme.matches)) {
      Object.assign(list.dataset, { key, dark: String(darkScheme.matches) });
      list.replaceChildren(...this.draft.policies.map(({ id }, p) => this.policyItem(id, p, looks[p])));
      const others = POLICIES.filter((one) => !this.draft.policies.some((mine) => mine.id === one.id));
      byId("add").replaceChildren(...optionsOf([["", "Add a policy…"]]), ...inGroups(others.map(({ id, label }) => [id, label, DATA.kinds[id]])));
    }
    byId("add").value = "";
    list.querySelectorAll("input").forEach((input) => {
      const { tuning } = this.draft.policies[input.dataset.place];
      if (input !== source) input.value = entry(tuning);
      input.placeholder = shown(tuningOf(this.draft, this.draft.policies[input.dataset.place]) ?? NaN);
    });
  }

  policyItem(id, p, look) {
    const policy = policyOf(id);
    const swatch = `<svg width="22" height="10" aria-hidden="true">${line(0, 5, 22, 5, { stroke: look.colour, "stroke-width": 3, "stroke-dasharray": look.dash })}</svg>`;
    const name = make("span", { title: `${policy.rule}\n${policy.reference}` });
    name.innerHTML = `${swatch} ${escaped(labelOf(id))}`;
    const remove = make("button", { type: "button", textContent: "✕", ariaLabel: `Remove ${labelOf(id)}` });
    remove.addEventListener("click", () => this.edit((draft) => draft.policies.splice(p, 1)));
    const item = make("li", {}, name, remove);
    if (policy.tuning) {
      const input = make("input", { type: "number", step: "any", min: 0, inputMode: "decimal", id: `tuning-${id}` });
      input.dataset.place = p;
      input.addEventListener("input", () => this.edit((draft) => {
        draft.policies[p].tuning = input.value === "" ? null : numberIn(input.value);
      }, input));
      item.append(make("span", { className: "tuning" }, make("label", { htmlFor: input.id, textContent: policy.tuning.symbol, title: `Tuning of ${policy.label}` }), input));
    }
    return item;
  }

  /** A row for each arm, with its knobs and the places of its drawings. */
  showRows(source) {
    const { draft, each } = this;
    const key = `${draft.means.length} ${each.fairness} ${each.penalties} ${draft.law.movies}`;
    const place = byId("rows");
    if (place.dataset.key !== key) {
      place.dataset.key = key;
      place.classList.toggle("dense", draft.means.length > 10);
      this.rows = draft.means.map((_, k) => this.row(k));
      place.replaceChildren(...this.rows.map((row) => row.root));
      this.measure();
    }
    const gaps = gapsOf(draft.means);
    const kinds = marginsOf(draft).map((margin, k) => kindOf(gaps[k], margin));
    this.rows.forEach((row, k) => {
      row.name.replaceChildren(nameOf(draft, k), row.fixed ? "" : make("span", { className: "kind", textContent: ` · ${kinds[k]}` }));
      row.name.title = nameOf(draft, k);
      for (const knob of row.knobs) {
        const value = draft[knob.key][k];
        for (const input of knob.inputs) {
          if (input !== source) input.value = Number.isFinite(value) ? Number(value.toFixed(4)) : "";
        }
        const wrong = knob.key === "means" ? !(value >= 0 && value <= 1) : !(value >= 0);
        knob.inputs[1].setAttribute("aria-invalid", String(wrong));
      }
      if (row.fixed) row.fixed.textContent = `μ = ${shown(draft.means[k])} · ${kinds[k]}`;
    });
  }

  row(k) {
    const name = make("span", { className: "name" });
    const arm = make("div", { className: "arm" }, name);
    const knobs = [];
    const wanted = [["means", "μ", 1], ["fairness", "τ", 0.98], ["penalties", "A", 1]];
    let fixed = null;
    for (const [key, symbol, most] of wanted) {
      if (key === "means" ? this.draft.law.movies : !this.each[key]) continue;
      const label = `${symbol} of arm ${k + 1}`;
      const inputs = ["range", "number"].map((type) => {
        const input = make("input", { type, min: 0, max: most, step: type === "range" ? 0.01 : "any", ariaLabel: type === "range" ? `${label}, slider` : label });
        if (type === "number") input.removeAttribute("max");
        input.addEventListener("input", () => this.edit((draft) => {
          draft[key][k] = numberIn(input.value);
        }, input));
        return input;
      });
      knobs.push({ key, inputs });
      arm.append(make("span", { className: "knob" }, make("span", { textContent: symbol, ariaHidden: "true" }), ...inputs));
    }
    if (this.draft.law.movies) {
      fixed = make("span", { className: "fixed" });
      arm.append(fixed);
    }
    const [count, owed] = [make("b"), make("small")];
    const lane_ = make("div", { className: "lane" });
    const index = make("div", { className: "index" });
    const root = make("div", { className: "row" }, arm, lane_, make("div", { className: "numbers" }, count, " ", owed), index);
    return { root, arm, name, knobs, fixed, count, owed, lane: lane_, index };
  }

  measure() {
    for (const row of this.rows) {
      row.laneWidth = row.lane.clientWidth;
      row.indexWidth = row.index.clientWidth;
    }
  }

  showProblems() {
    const { draft } = this;
    this.problems = problemsOf(draft);
    if (this.arms !== undefined) this.problems.arms = `K is ${quoted(this.arms)}: it must be ${whole(LIMITS.arms)}.`;
    const badArm = draft.means.findIndex((mean) => !(mean >= 0 && mean <= 1));
    const places = {
      arms: [byId("arms"), byId("arms").parentElement],
      means: [null, this.rows[Math.max(badArm, 0)]?.arm],
      law: [byId("parameters").querySelector("input") ?? byId("law"), byId("parameters")],
      policies: [byId("add"), byId("choice")],
    };
    for (const key of ["fairness", "penalties", "horizon", "replicates", "seed"]) {
      places[key] = [byId(key), byId(key).closest(".field")];
    }
    for (const old of document.querySelectorAll(".wrong")) old.remove();
    // Also those of another law: its fields come and go.
    for (const old of document.querySelectorAll("#controls [aria-describedby]")) {
      old.removeAttribute("aria-invalid");
      old.removeAttribute("aria-describedby");
    }
    for (const [key, [control, place]] of Object.entries(places)) {
      const problem = this.problems[key];
      if (!problem) continue;
      const id = `wrong-${key}`;
      place?.append(make("p", { className: "wrong", id, role: "alert", textContent: problem }));
      control?.setAttribute("aria-invalid", "true");
      control?.setAttribute("aria-describedby", id);
    }
  }
}
