"""Command line ``python -m benchmarks.playground``: million pulls a second in Chromium, K = 5.

It prints a table; nothing is saved.  The goal is 10 for the hard threshold.
"""

import os
import shutil
import sys

from playwright.sync_api import sync_playwright

from benchmarks.instances import linear_instance
from benchmarks.machine import load
from benchmarks.tables import Row, markdown_table
from benchmarks.timing import number
from penalized_bandits.playground.scripts import engine_source

N_ARMS = 5
SECONDS = 0.05
"""About as long is each run."""
RUNS = 20
"""The best of so many counts: others may use the machine."""
MEASURE = """
([given, seconds, runs]) => POLICIES.map(({ id, tuning, commits }) => {
  const play = (rounds) => {
    const sim = new Simulation({ ...given, policy: id, tuning: commits ? 2 : undefined });
    const start = performance.now();
    sim.run(rounds);
    return rounds / (performance.now() - start);
  };
  let rounds = 10000;
  let best = play(rounds);
  for (let run = 0; run < runs; run += 1) {
    rounds = Math.min(Math.ceil(1000 * seconds * best), given.horizon);
    best = Math.max(best, play(rounds));
  }
  return best / 1000;
})
"""
LAWS: dict[str, dict[str, object]] = {
    "Bernoulli": {"id": "bernoulli"},
    "Gaussian": {"id": "gaussian", "sd": 1 / N_ARMS},
}


def measure() -> list[Row]:
    """Time every policy on the benchmarks' instance; return rows of a table."""
    instance = linear_instance(N_ARMS, "bernoulli")
    given = {
        "means": instance.means.tolist(),
        "fairness": instance.fairness.tolist(),
        "penalties": instance.penalties.tolist(),
        "horizon": 10**8,
        "seed": 0,
    }
    browser_path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_script_tag(content=engine_source())
        ids = page.evaluate("POLICIES.map(({ id }) => id)")
        speeds = {
            name: page.evaluate(MEASURE, [{**given, "law": law}, SECONDS, RUNS])
            for name, law in LAWS.items()
        }
        browser.close()
    return [
        {"policy": policy, **{name: number(found[i]) for name, found in speeds.items()}}
        for i, policy in enumerate(ids)
    ]


if __name__ == "__main__":
    before = load()
    sys.stdout.write(markdown_table(measure()))
    sys.stdout.write(f"\nLoad of the machine before and after: {before} and {load()}.\n")
