// What is taken away: text to copy, pictures and numbers to save.

const listed = (values) => `[${values.join(", ")}]`;
const oneOrAll = (values) => (allSame(values) ? String(values[0]) : listed(values));

const lawInPython = (law) => {
  if (law.id === "gaussian") return ["Gaussian", `Gaussian(${law.sd})`];
  if (law.id === "heavy_tailed") return ["HeavyTailed", `HeavyTailed(${law.scale}, ${law.tail})`];
  if (law.id === "categorical") return ["Categorical", "Categorical(support, probabilities)"];
  const name = { bernoulli: "Bernoulli", beta: "Beta", deterministic: "Deterministic" }[law.id];
  return [name, `${name}()`];
};

/** The same instance and pulls with the package. */
const asPython = (state) => {
  const [name, rewards] = lawInPython(state.law);
  const law = fullLaw(state.law);
  const names = [name, "Instance", "penalized_regret", "simulate"].sort();
  const table = state.law.movies
    ? `support = ${listed(law.support)}\nprobabilities = [\n${law.probabilities.map((row) => `    ${listed(row)},\n`).join("")}]\n`
    : "";
  const means = state.law.movies ? `${rewards}.means` : listed(state.means);
  const tunings = state.policies.map((one) => `    "${one.id}": ${tuningOf(state, one) ?? "None"},\n`).join("");
  return `from penalized_bandits import ${names.join(", ")}

${table}bandit = Instance(
    means=${means},
    fairness=${listed(state.fairness)},
    penalties=${oneOrAll(state.penalties)},
    rewards=${rewards},
)
tunings = {
${tunings}}
runs = {
    policy: simulate(
        policy,
        bandit,
        horizon=${state.horizon},
        replicates=${state.replicates},
        seed=${state.seed},
        stream=("${EXPERIMENT}", "${CASE}_T${state.horizon}"),
        tuning=tuning,
    )
    for policy, tuning in tunings.items()
}
for policy, run in runs.items():
    regret = penalized_regret(run.pulls[:, -1], bandit.means, bandit.fairness, bandit.penalties)
    print(policy, regret.mean())
`;
};

/** Why the workflow's section cannot take this bandit; empty if it can. */
const notInConfig = (state) => {
  const { law, policies } = state;
  if (!["bernoulli", "gaussian"].includes(law.id) || law.sd === 0) {
    return "The workflow's section takes Gaussian and Bernoulli rewards alone: copy as Python instead.";
  }
  const tuned = policies.find(({ id }) => policyOf(id).tuning);
  return tuned ? `The workflow's section takes no policy with a tuning, such as ${labelOf(tuned.id)}: copy as Python instead.` : "";
};

/** Numbers as YAML reads them: 1e-7 would be text. */
const inYaml = (values) => listed(values.map((x) => String(x).replace(/^(\d+)e/, "$1.0e")));

/** The same instance and pulls with the workflow. */
const asConfig = (state) => `# snakemake --cores all --configfile config/sharp.yaml playground.yaml \\
#   -- results/replicates/${EXPERIMENT}/${CASE}.1of1.parquet
seed: ${state.seed}
sharp:
  ${EXPERIMENT}:
    replicates: ${state.replicates}
    policies: ${listed(state.policies.map(({ id }) => id))}
    horizons: [${state.horizon}]
    instances:
      ${CASE}:
        means: ${inYaml(state.means)}
        fairness: ${inYaml(state.fairness)}
        penalties: ${inYaml(state.penalties)}
${state.law.id === "gaussian" ? `        sd: ${state.law.sd}\n` : ""}`;

/** All records as a table: a row for each policy, round and arm. */
const asTable = (view) => {
  const { state } = view;
  const head = "policy,round,arm,mean,fairness,penalty,pulls_mean,owed,cost_of_pulls,cost_of_missed_share,regret_mean,regret_half_95,reward_mean,unfairness_mean";
  const rows = [head];
  for (const record of view.records) {
    record.policies.forEach((one, p) => {
      const [regret, half] = estimate(one.regret, state.replicates);
      const shared = [regret, half, one.reward.sum / state.replicates, one.unfairness.sum / state.replicates];
      state.means.forEach((mean, k) => {
        const own = [mean, state.fairness[k], state.penalties[k], one.pulls[k], state.fairness[k] * record.n, one.wasted[k], one.missed[k]];
        rows.push([state.policies[p].id, record.n, k + 1, ...own, ...shared].join(","));
      });
    });
  }
  return `${rows.join("\n")}\n`;
};

const save = (name, content, type) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

/** Save an SVG as PNG, twice its size. */
const savePng = (name, svg) =>
  new Promise((resolve, reject) => {
    const image = new Image();
    image.onerror = () => reject(new Error("the picture cannot be drawn here"));
    image.onload = () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => {
        save(name, blob, "image/png");
        resolve();
      });
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });

/** Copy a text; where the browser does not allow it, say so. */
const copyText = async (words) => {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
};
