// The board: a row for each arm, with its lane of pulls and the bars of its index.

/** One arm's pulls against rounds, the level tau_k n dashed, one line for each policy. */
const lane = (view, k, width, height) => {
  const { state, records, looks, watched } = view;
  const colours = theme();
  const n = records.at(-1).n;
  const tau = state.fairness[k];
  const most = Math.max(tau * n, ...records.at(-1).policies.map((one) => one.lane[k]), 1) * 1.08;
  const x = (round_) => (round_ / n) * width;
  const y = (pulls) => height - 1.5 - (pulls / most) * (height - 4);
  const kept = thinned(records, (record) => x(record.n));
  const points = (p) => [[0, y(0)], ...kept.map((r) => [x(r.n), y(r.policies[p].lane[k])])];
  const own = points(watched);
  const owed = [[0, y(0)], [width, y(tau * n)]];
  const parts = [area(own, [[0, y(0)], [width, y(0)]], { fill: looks[watched].colour, "fill-opacity": 0.16 })];
  const last = records.at(-1).policies[watched].lane[k];
  if (last < tau * n - 1) {
    // What the arm is short of: what is paid for.
    parts.push(line(width - 2, y(last), width - 2, y(tau * n), { stroke: colours.owed, "stroke-width": 4 }));
  }
  state.policies.forEach((_, p) => {
    if (p === watched) return;
    parts.push(curve(points(p), { stroke: looks[p].colour, "stroke-width": 1.25 }));
  });
  parts.push(curve(own, { stroke: looks[watched].colour, "stroke-width": 2.25 }));
  if (n <= 100) {
    // So few that every mark is a pull.
    let before = 0;
    for (const record of records) {
      const now = record.policies[watched].lane[k];
      if (now > before) parts.push(mark("circle", { cx: x(record.n), cy: y(now), r: 2.6, fill: looks[watched].colour }));
      before = now;
    }
  }
  if (tau > 0) parts.push(curve(owed, { stroke: colours.ink, "stroke-width": 1.5, "stroke-dasharray": "5 4" }));
  parts.push(line(0, height - 0.5, width, height - 0.5));
  return parts.join("");
};

const finite = (value) => (Number.isFinite(value) ? Math.max(value, 0) : 0);
/** The longest index that is drawn, common to all arms. */
const longest = (parts) =>
  Math.max(0.5, ...parts.map((one) =>
    one.radius === null ? finite(one.index) : finite(one.mean) + finite(one.penalty) + finite(one.radius)));

/** The index of one arm for the next round: mean, then penalty, then radius. */
const indexBar = (view, k, width, height) => {
  const { parts } = view.records.at(-1).policies[view.watched];
  const colours = theme();
  const look = view.looks[view.watched];
  if (!parts?.[k]) return "";
  // Radii of the first rounds are longer than the place.
  const most = longest(parts);
  const scale = (width - 48) / (parts[k].radius === null ? most : Math.min(most, 4));
  const [thick, top] = [Math.min(16, height - 8), Math.max(4, height / 2 - 8)];
  const next = view.next === k;
  let at = 0;
  const piece = (value, given) => {
    const from = at;
    at = Math.min(at + finite(value) * scale, width - 48);
    return at > from ? mark("rect", { x: from, y: top, width: at - from, height: thick, ...given }) : "";
  };
  const { mean, penalty, radius, index, urgent } = parts[k];
  // An index that is no such sum is one bar.
  const bars = radius === null ? [piece(index, { fill: look.colour, "fill-opacity": 0.5 })] : [
    piece(mean, { fill: look.colour }),
    piece(penalty, { fill: colours.owed }),
    piece(radius, { fill: look.colour, "fill-opacity": 0.28 }),
  ];
  const words = urgent ? "urgent" : Number.isFinite(index) ? shown(index) : "";
  const heavy = { fill: colours.ink, "font-weight": 700 };
  return bars.join("") + text(at + 6, top + thick / 2 + 4, next ? `${words} ◂` : words, next ? heavy : {});
};

/** The arm that the watched policy pulls next, by its indices; -1 if it shows none. */
const nextArm = (record, watched, after) => {
  if (after?.n === record.n + 1) return after.policies[watched].last;
  const { parts } = record.policies[watched];
  if (!parts || parts.some((one) => one.index === null)) return -1;
  const urgent = parts.some((one) => one.urgent);
  let best = -1;
  parts.forEach((one, k) => {
    if (urgent && !one.urgent) return;
    if (best < 0 || one.index > parts[best].index) best = k;
  });
  return best;
};

const laneHeight = (arms) => (arms <= 6 ? 58 : arms <= 10 ? 46 : arms <= 20 ? 34 : 28);

/** Draw arm k's row. */
const drawRow = (view, row, k) => {
  const record = view.records.at(-1);
  view.next ??= nextArm(record, view.watched, view.after);
  const height = laneHeight(view.state.means.length);
  const name = nameOf(view.state, k);
  const pulls = record.policies[view.watched].lane[k];
  const owed = view.state.fairness[k] * record.n;
  row.lane.innerHTML = picture(
    row.laneWidth, height, `Pulls of ${name}`,
    `${shown(pulls)} pulls by ${labelOf(view.state.policies[view.watched].id)}, ${shown(owed)} owed`,
    lane(view, k, row.laneWidth, height),
  );
  row.index.innerHTML = picture(row.indexWidth, height, `Index of ${name}`, "", indexBar(view, k, row.indexWidth, height));
  row.count.textContent = grouped(Math.round(pulls));
  row.owed.textContent = `of ${grouped(Math.ceil(owed))} owed`;
  row.root.classList.toggle("short", pulls < owed - 1);
  row.root.classList.toggle("next", view.next === k);
};

/** All lanes as one picture, for saving. */
const boardPicture = (view) => {
  const [width, height, left] = [760, laneHeight(view.state.means.length), 190];
  const rows = view.state.means.map((mean, k) => {
    const inside = text(0, height / 2 + 4, `${nameOf(view.state, k).slice(0, 22)}, μ = ${shown(mean)}`, { fill: theme().ink })
      + mark("g", { transform: `translate(${left} 0)` }, lane(view, k, width - left - 20, height));
    return mark("g", { transform: `translate(10 ${round(40 + k * (height + 8))})` }, inside);
  });
  const n = view.records.at(-1).n;
  const title = `Pulls of each arm in rounds 1 to ${grouped(n)}; dashed: what the arm is owed`;
  const body = text(10, 22, title, { fill: theme().ink, "font-size": 14 }) + rows.join("");
  return picture(width, 48 + view.state.means.length * (height + 8), title, "", body);
};
