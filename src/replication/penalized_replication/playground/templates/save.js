// What is taken away: text to copy, pictures and numbers to save.

const listed = (values) => `[${values.join(", ")}]`;
const oneOrAll = (values) => (allSame(values) ? String(values[0]) : listed(values));

/** The name of the class, which is the id's, and the call. */
const lawInPython = (law) => {
  const name = law.id.replace(/(?:^|_)(.)/g, (_, letter) => letter.toUpperCase());
  const given = law.movies ? ["support", "probabilities"] : familyOf(law).parameters.map((one) => law[one.name]);
  return [name, `${name}(${given.join(", ")})`];
};

/** The same instance and pulls with the package. */
const asPython = (state) => {
  const [name, rewards] = lawInPython(state.law);
  const law = fullLaw(state.law);
  const names = [name, "Instance", "penalized_regret"].sort();
  const table = state.law.movies
    ? `support = ${listed(law.support)}\nprobabilities = [\n${law.probabilities.map((row) => `    ${listed(row)},\n`).join("")}]\n`
    : "";
  const means = state.law.movies ? `${rewards}.means` : listed(state.means);
  const tunings = state.policies.map((one) => `    "${one.id}": ${tuningOf(state, one) ?? "None"},\n`).join("");
  return `from penalized_bandits import ${names.join(", ")}
from penalized_bandits.engine.simulate import simulate_part
from penalized_bandits.engine.streams import Stream

${table}bandit = Instance(
    means=${means},
    fairness=${listed(state.fairness)},
    penalties=${oneOrAll(state.penalties)},
    rewards=${rewards},
)
tunings = {
${tunings}}
runs = {
    policy: simulate_part(
        policy,
        bandit,
        horizon=${state.horizon},
        replicates=${state.replicates},
        stream=Stream(${state.seed}, ("${EXPERIMENT}", "${caseOf(state)}_T${state.horizon}")),
        tuning=tuning,
    )
    for policy, tuning in tunings.items()
}
for policy, run in runs.items():
    regret = penalized_regret(run.pulls[:, -1], bandit)
    print(policy, regret.mean())
`;
};

/** All records as a table: a row for each policy, round and arm. */
const asTable = (view) => {
  const { state } = view;
  const head = "policy,round,arm,mean,fairness,penalty,pulls_mean,owed,cost_of_pulls,cost_of_missed_share,regret_mean,regret_half_95,reward_mean,unfairness_mean";
  const rows = [head];
  for (const record of view.records) {
    record.policies.forEach((one, p) => {
      const [regret, half] = estimate(one.regret);
      const shared = [regret, half, one.reward.mean, one.unfairness.mean];
      state.means.forEach((mean, k) => {
        const own = [mean, state.fairness[k], state.penalties[k], one.pulls[k], state.fairness[k] * record.n, one.wasted[k], one.missed[k]];
        rows.push([state.policies[p].id, record.n, k + 1, ...own, ...shared].join(","));
      });
    });
  }
  return `${rows.join("\n")}\n`;
};

/** A picture with its title above, and the bandit, the seed and the address below. */
const signed = (svg, state) => {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const [width, height] = ["width", "height"].map((side) => Number(root.getAttribute(side)));
  const title = root.querySelector("title").textContent;
  // The address of a file would be that of a folder.
  const page = window.location.protocol === "file:" ? "playground.html" : window.location.href.split("#")[0];
  const room = Math.floor((width - 20) / 5.6);
  const lines = [banditOf(state), page + addressOf(state)].flatMap((words) => words.match(new RegExp(`.{1,${room}}`, "g")));
  const below = lines.map((words, i) => text(10, 32 + height + 16 + 14 * i, words, { "font-size": 10 })).join("");
  const whole = text(10, 22, title, { fill: theme().ink, "font-size": 15, "font-weight": 650 }) + mark("g", { transform: "translate(0 32)" }, svg) + below;
  return picture(width, 32 + height + 14 * lines.length + 14, title, banditOf(state), whole);
};

const save = (name, content, type) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

const saveSvg = (name, svg) => save(`${name}.svg`, svg, "image/svg+xml");
/** Save an SVG as PNG, twice its size. */
const savePng = async (name, svg) => {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(`${name}.png`, blob, "image/png"));
};

/** Copy a text; where the browser does not allow it, say so. */
const copyText = async (words) => {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
};
