// The panels below the board: regret, reward against unfairness, what each arm costs.

const BOX = { width: 560, height: 340, left: 52, right: 404, top: 34, bottom: 292 };

/** Boxes fit the place that they are drawn in; labels on the right need a part of it. */
const boxOf = (width, height = BOX.height) => {
  const labels = width < 480 ? 0 : 156;
  return { ...BOX, width, height, right: width - labels - 16, bottom: height - 48, labels };
};

/** Penalized regret of each policy at each record: [n, mean, half], worked out once. */
const regretPaths = (view, records = view.records) =>
  view.state.policies.map((_, p) =>
    records.map(({ n, policies }) => (policies[p].lost ??= [n, ...estimate(policies[p].regret)])),
  );

/** Whether rounds and regret have logarithmic axes. */
const AXES = { linear: [false, false], log: [true, false], both: [true, true] };

const regretPanel = (view, width) => {
  const box = boxOf(width, view.height);
  const { state, looks, theory } = view;
  const paths = regretPaths(view);
  const fluid = theory?.policies.map((one) => one?.fluid) ?? [];
  const last = paths.map((path) => path.at(-1));
  const bound = theory?.lower ?? null;
  // As high as all that is known, so that axes keep still while it is played.
  const everything = regretPaths(view, view.all);
  const [low, high] = view.range ?? [0, 0];
  const top = high || Math.max(...everything.flat().map(([, mean, half]) => mean + half), ...(bound ?? [0]), 1e-6);
  const [logRounds, logRegret] = AXES[view.axis];
  const first = logRounds ? view.from ?? Math.min(state.means.length, state.horizon / 2) : 0;
  const x = (logRounds ? logarithmic : linear)(first, state.horizon, box.left, box.right);
  const least = low || Math.min(...everything.flat().map(([, mean]) => mean).filter((mean) => mean > 0), top / 10);
  const lowest = logRegret ? Math.max(least, top / 1e4) : 0;
  const y = logRegret
    ? logarithmic(lowest, top * 1.2, box.bottom, box.top)
    : linear(0, top * 1.05, box.bottom, box.top);
  const at = (n, value) => [x(n), y(Math.min(Math.max(value, 0), top * 1.05))];
  // A logarithmic axis has no place for less than its lowest number: nothing is drawn there.
  const seen = (points) => points.filter(([n, mean]) => n >= first && mean >= lowest);
  const inside = [axes(box, x, y, "round n", "penalized regret")];
  if (bound) {
    const points = bound.map((value, i) => [theory.rounds[i], value]);
    inside.push(curve(seen(points).map((p) => at(...p)), { stroke: theme().bound, "stroke-dasharray": "2 3", "stroke-width": 2 }));
  }
  paths.forEach((path, p) => {
    const { colour } = looks[p];
    const kept = seen(path).filter((_, i, all) => i === all.length - 1 || i % 3 === 0);
    inside.push(area(kept.map(([n, m, h]) => at(n, m + h)), kept.map(([n, m, h]) => at(n, m - h)), { fill: colour, "fill-opacity": 0.18 }));
  });
  fluid.forEach((values, p) => {
    if (!values) return;
    const points = values.map((value, i) => [theory.rounds[i], value]).filter(([, v]) => v <= top * 1.05);
    inside.push(curve(points.map((q) => at(...q)), { stroke: looks[p].colour, "stroke-width": 1.25, "stroke-dasharray": "1 3", "stroke-linecap": "round" }));
    const { constant } = theory.policies[p];
    if (constant) {
      const ends = theory.rounds.map((n) => [n, constant * Math.log(n)]).filter(([, v]) => v <= top * 1.05);
      inside.push(curve(ends.map((q) => at(...q)), { stroke: looks[p].colour, "stroke-width": 1, "stroke-dasharray": "12 6", "stroke-opacity": 0.8 }));
    }
  });
  paths.forEach((path, p) => {
    inside.push(curve(thinned(seen(path), ([n]) => x(n)).map(([n, m]) => at(n, m)), { stroke: looks[p].colour, "stroke-dasharray": looks[p].dash }));
  });
  if (view.finished) {
    let above = Infinity;
    for (const { n, lost } of crossedIn(view).slice(0, 4).filter((one) => one.n > first)) {
      const [cx, cy] = at(n, lost);
      inside.push(
        mark("path", { d: `M${round(cx - 6)} ${round(cy)}l6 -6l6 6l-6 6Z`, fill: theme().ground, stroke: theme().ink, "stroke-width": 1.75 }),
        text(cx - 9, (above = Math.abs(cy - 7 - above) < 14 ? above - 14 : cy - 7), `round ${aboutRound(n)}`, { "text-anchor": "end", fill: theme().ink }),
      );
    }
  }
  // Of a curve that has not begun none.
  const labels = last.map(([n, mean], p) => ({ y: n < first ? NaN : y(mean), words: `${labelOf(state.policies[p].id)}${mean < lowest ? `: ${shown(mean)}` : ""}`, ...looks[p] }));
  if (bound) labels.push({ y: y(bound.at(-1)), words: "asymptotic bound", colour: theme().bound, dash: "2 3" });
  inside.push(endLabels(box.right, labels, box.top, box.bottom, 14, !box.labels));
  const told_ = last.map((one, p) => `${labelOf(state.policies[p].id)} ${withHalf(one.slice(1))}`).join("; ");
  return picture(box.width, box.height, "Penalized regret against rounds", `At round ${grouped(view.records.at(-1).n)}: ${told_}.`, inside.join(""));
};

/** Reward and unfairness per round, with the frontier that no allocation can pass. */
const tradeoffPanel = (view, width) => {
  const box = boxOf(width);
  const { state, looks, records } = view;
  const corners = frontierOf(state, 1);
  const at = (record, p, key) => estimate(record.policies[p][key]).map((v) => v / record.n);
  const trails = state.policies.map((_, p) =>
    thinned(records.filter(({ n }) => n >= state.means.length * 4), ({ n }) => 40 * Math.log(n))
      .map((record) => [at(record, p, "unfairness")[0], at(record, p, "reward")[0]]));
  const ends = state.policies.map((_, p) => [at(records.at(-1), p, "unfairness"), at(records.at(-1), p, "reward")]);
  const best = Math.max(...state.means);
  const low = Math.min(corners[0][1], ...ends.map(([, reward]) => reward[0]));
  const floor = low - (best - low) * 0.15 - 1e-6;
  const most = Math.max(corners.at(-1)[0] * 1.04, ...ends.map(([unfair]) => unfair[0] * 1.05), 1e-3);
  const x = linear(0, most, box.left, box.right);
  const y = linear(floor, best + (best - floor) * 0.04, box.bottom, box.top);
  const point = ([u, r]) => [x(Math.min(u, most)), y(Math.max(r, floor))];
  const edge = [...corners, [most, corners.at(-1)[1]]].map(point);
  const inside = [
    area(edge, [[x(0), y(floor)], [x(most), y(floor)]], { fill: theme().bound, "fill-opacity": 0.1 }),
    axes(box, x, y, "unfairness: missed pulls per round", "mean reward"),
    curve(edge, { stroke: theme().bound, "stroke-width": 2 }),
  ];
  trails.forEach((trail, p) => {
    inside.push(curve(trail.map(point), { stroke: looks[p].colour, "stroke-width": 1.25, "stroke-opacity": 0.55 }));
  });
  ends.forEach(([unfair, reward], p) => {
    const [cx, cy] = point([unfair[0], reward[0]]);
    const { colour } = looks[p];
    inside.push(
      line(x(Math.max(unfair[0] - unfair[1], 0)), cy, x(unfair[0] + unfair[1]), cy, { stroke: colour, "stroke-width": 2 }),
      line(cx, y(reward[0] - reward[1]), cx, y(reward[0] + reward[1]), { stroke: colour, "stroke-width": 2 }),
      mark("circle", { cx, cy, r: 5.5, fill: colour, stroke: theme().ground, "stroke-width": 1.5 }),
    );
  });
  if (box.labels) {
    const labels = ends.map(([, reward], p) => ({ y: y(reward[0]), words: labelOf(state.policies[p].id), colour: looks[p].colour }));
    labels.push({ y: y(best), words: "oracle frontier", colour: theme().bound });
    inside.push(endLabels(box.right, labels, box.top, box.bottom));
  }
  const told_ = ends.map(([unfair, reward], p) => `${labelOf(state.policies[p].id)} ${shown(reward[0])} at ${shown(unfair[0])}`).join("; ");
  return picture(box.width, box.height, "Reward against unfairness", `Per round: ${told_}.`, inside.join(""));
};

/** What each arm costs each policy: pulls that were not worth it, and the missed share. */
const costPanel = (view, width) => {
  const { state, looks, records } = view;
  const record = records.at(-1);
  // Where there is no room for all, the one that is watched.
  const played = state.policies.map((_, p) => p).filter((p) => width >= 520 || p === view.watched);
  const names = Math.min(190, width * 0.3);
  // As many policies side by side as leave room for their names; the others stand below.
  const bands = Math.ceil(played.length / Math.max(1, Math.floor((width - names - 8) / 150)));
  const beside = Math.ceil(played.length / bands);
  const [row, top] = [state.means.length > 12 ? 18 : 24, 44];
  const across = (width - names - 8) / beside;
  const most = Math.max(1e-9, ...played.flatMap((p) => record.policies[p].wasted.map((w, k) => w + record.policies[p].missed[k])));
  const scale = (across - 62) / most;
  const high = top + state.means.length * row + 8;
  const gaps = gapsOf(state.means);
  const inside = [];
  played.forEach((p, place) => {
    const x = names + (place % beside) * across;
    const above = Math.floor(place / beside) * high;
    const { wasted, missed } = record.policies[p];
    inside.push(
      line(x, above + 20, x + 14, above + 20, { stroke: looks[p].colour, "stroke-width": 3, "stroke-dasharray": looks[p].dash }),
      ...inLines(labelOf(state.policies[p].id), across - 24).map((words, i) => text(x + 18, above + 25 - 14 * i, words, { fill: theme().ink })),
      line(x, above + top - 6, x, above + high - 8),
    );
    state.means.forEach((_, k) => {
      const y = above + top + k * row;
      if (place % beside === 0) {
        const kind = width < 560 ? "" : ` (${kindOf(gaps[k], marginsOf(state)[k])})`;
        inside.push(text(0, y + row / 2 + 2, clipped(`${nameOf(state, k)}${kind}`, names - 10), { fill: theme().ink }));
      }
      const [first, second] = [wasted[k] * scale, missed[k] * scale];
      const cost = wasted[k] + missed[k];
      if (first > 0) inside.push(mark("rect", { x, y, width: first, height: row - 8, fill: looks[p].colour }));
      if (second > 0) inside.push(mark("rect", { x: x + first, y, width: second, height: row - 8, fill: theme().owed }));
      inside.push(text(x + first + second + 5, y + row / 2 + 1, cost < most * 5e-4 ? "0" : shown(cost, 2), { "font-size": 11 }));
    });
  });
  const told_ = state.policies.map(({ id }, p) => {
    const costs = record.policies[p].wasted.map((w, k) => w + record.policies[p].missed[k]);
    const worst = costs.indexOf(Math.max(...costs));
    return `${labelOf(id)}: most by ${nameOf(state, worst)}, ${shown(costs[worst])}`;
  });
  return picture(width, high * bands, "Regret by arm", told_.join("; "), inside.join(""));
};

/** One line of text that fits a width, at 12 px, or the second and the first line of two. */
const inLines = (words, width) => {
  const gap = words.slice(0, Math.floor(width / 7) + 1).lastIndexOf(" ");
  if (words.length * 7 <= width || gap < 0) return [words];
  return [clipped(words.slice(gap + 1), width), words.slice(0, gap)];
};

/** Text that fits a width, at 12 px. */
const clipped = (words, width) => {
  const room = Math.max(4, Math.floor(width / 6.1));
  return words.length > room ? `${words.slice(0, room - 1)}…` : words;
};

/** A round that is known roughly. */
const aboutRound = (n) => grouped(Number(n.toPrecision(2)));

/** Where mean regrets cross for the last time, if their bands are apart before it and at the end. */
const crossingsOf = (view) => {
  const paths = regretPaths(view);
  const found = [];
  for (let a = 0; a < paths.length; a += 1) {
    for (let b = a + 1; b < paths.length; b += 1) {
      const [ours, theirs] = [a, b].map((p) => paths[p].at(-1).slice(1));
      const [last, other] = [ours[0], theirs[0]];
      if (isZero(last - other) || !apart(ours, theirs)) continue;
      // The beginning, where each arm is pulled once, is the same for all.
      const ahead = paths[a].map(([n, mean, half], i) => [n, mean - paths[b][i][1], mean, half + paths[b][i][2]]).filter(([n]) => n > 4 * view.state.means.length);
      // From the last round in which the other is ahead, past rounds in which they tie.
      const trails = ([, difference]) => !isZero(difference) && (difference > 0) === (last < other);
      const behind = ahead.findLastIndex(trails);
      if (!ahead.some((one) => trails(one) && Math.abs(one[1]) > one[3])) continue;
      const i = ahead.findIndex(([, difference], at) => at > behind && !isZero(difference));
      const [[m, before, lost], [n, now, lostNow]] = [ahead[i - 1], ahead[i]];
      const share = before / (before - now);
      const [better, worse] = (last < other ? [a, b] : [b, a]).map((p) => view.state.policies[p].id);
      found.push({ better, worse, n: m + (n - m) * share, lost: lost + (lostNow - lost) * share });
    }
  }
  return found;
};
/** The same, worked out once for a view. */
const crossedIn = (view) => (view.crossed ??= crossingsOf(view));
const crossings = (view) =>
  crossedIn(view).map(({ better, worse, n }) => `${labelOf(better)} overtakes ${labelOf(worse)} at about round ${aboutRound(n)}.`);
