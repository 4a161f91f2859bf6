"""Configs that hold too little for some claims: these are not measured, the rest is made."""

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from penalized_bandits.claims.ledger.reading import facts

from extended_helpers import TINY_EXTENDED
from fuzz_helpers import SMALL, changed
from judged_helpers import Judged, Tables, claims_on, judged, simulated
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.extended.comparison import by_case, comparison
from penalized_bandits.claims.extended.evidence import ExtendedEvidence, Laws
from penalized_bandits.claims.extended.ledger import check_all, comparison_page, laws_by_policy
from penalized_bandits.claims.ledger import check, claims_table, parts_table
from penalized_bandits.cli.claims import in_full
from penalized_bandits.config import parse_config
from penalized_bandits.experiments.catalogue import EXPERIMENTS, SETTINGS
from penalized_bandits.experiments.extended import EXTENSIONS
from penalized_bandits.experiments.names import in_words
from penalized_bandits.pages.verdicts import views
from penalized_bandits.policies import PAPER_POLICY
from tiny_tables import RATINGS

ALONE = {
    PAPER_POLICY: (
        {"setting_1", "setting_2", "setting_3", "setting_5", "crossover", "worst_case"},
        {"C26", "C26P", "C32", "C14", "C15"},
    ),
    "ucb1": (
        {*SETTINGS, "movie_crossover", "worst_case", "deterministic"}
        | {"two_instances", "equal_penalties"},
        # C30: its panels are all of the other row, whatever the policies.
        {"C06", "C06P", "C13", "C18", "C30"},
    ),
    "explore_then_commit": ({"crossover"}, set[str]()),
}
"""A policy alone in some experiments, and the claims on them that do not lack another."""
LAWS, WORST = [200, 300, 400, 600, 800], [20, 30, 40]
FEW: dict[str, tuple[dict[str, dict[str, Any]], dict[str, str]]] = {
    "one replicate": ({name: {"replicates": 1} for name in EXPERIMENTS}, {}),
    "one horizon": (
        {n: {"horizons": SMALL[n]["horizons"][-1:]} for n in EXPERIMENTS if "horizons" in SMALL[n]},
        {"C11": "nothing in log_laws is what it speaks of"},
    ),
    "fits of one replicate": (
        {
            "log_laws": {"replicates": 1, "horizons": LAWS},
            "worst_case": {"replicates": 1, "horizons": WORST},
        },
        {
            "C15": "a standard error takes two replicates, not one (it stands on worst_case)",
        },
    ),
}
"""Experiments that are made small enough for some statistic to fail, and what claims lack."""


@pytest.fixture(scope="module", name="unchanged")
def unchanged_fixture(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """Simulate every experiment of the small config."""
    folder = tmp_path_factory.mktemp("unchanged")
    return {name: simulated(parse_config(SMALL), name, folder) for name in EXPERIMENTS}


def made(changes: dict[str, dict[str, Any]], unchanged: Tables, folder: Path) -> Judged:
    """Make all that stands on the experiments of which some keys are changed."""
    edits = [((name, key), v) for name, keys in changes.items() for key, v in keys.items()]
    return judged(parse_config(changed(edits)), list(changes), unchanged, folder)


@pytest.mark.sample
@pytest.mark.parametrize("policy", ALONE)
def test_one_policy_alone(policy: str, unchanged: Tables, tmp_path: Path) -> None:
    names, measured = ALONE[policy]
    done = made({name: {"policies": [policy]} for name in sorted(names)}, unchanged, tmp_path)
    on_them = {claim for name in names for claim in claims_on(name)} - measured
    assert on_them <= set(done.reasons)
    assert not measured & set(done.reasons) - {"C30"}
    for claim in on_them:
        said = re.escape("Not measured under this config: ") + r"(\w+) has no policy "
        found = re.match(said, done.reasons[claim])
        assert found, claim
        assert found[1] in names
    if policy == PAPER_POLICY:
        # And a figure's caption says it.
        assert "C34 is not measured under this config" in done.captions["theory_crossover"]


@pytest.mark.slow
@pytest.mark.parametrize("few", FEW)
def test_too_few(few: str, unchanged: Tables, tmp_path: Path) -> None:
    changes, lacks = FEW[few]
    done = made(changes, unchanged, tmp_path)
    assert {claim for name in changes for claim in claims_on(name)} <= set(done.rows)
    for claim, lack in lacks.items():
        assert lack in done.reasons[claim]


def test_a_row_that_was_not_measured_can_be_shown(unchanged: Tables) -> None:
    section = {**SMALL["setting_1"], "policies": [PAPER_POLICY, "fair_learn"]}
    reduced = Evidence({"setting_1": section}, {"setting_1": unchanged["setting_1"]})
    kept = [run for run in reduced.outcomes("setting_1") if run.policy != "lfg"]
    reduced._outcomes["setting_1"] = kept
    row, other = check("C24", reduced), check("C25", reduced)
    assert (row["verdict"], row["parts"], row["estimate"]) == ("not measured", 0, None)
    assert other["verdict"] != "not measured"
    why = "Not measured under this config: setting_1 has no policy lfg (it stands on setting_1)."
    assert row["note"] == why
    assert claims_table([row, other])["verdict"].to_list() == ["not measured", other["verdict"]]
    assert set(parts_table([row, other])["id"]) == {"C25"}
    assert "Measured" not in facts(row)
    assert facts(row)["Note"] == in_words(why)
    (text,) = in_full(row)
    assert in_words(why) in str(text)
    (view,) = views([row], pd.DataFrame(), {"setting_1": 3}, lambda _: None)
    assert view["verdict"].name == "not measured"
    assert (view["measured"], view["share"], view["parts"]) == ("", 0, [])


def test_beyond_the_paper_with_the_hard_threshold_alone(tmp_path: Path) -> None:
    alone = {"policies": [PAPER_POLICY]}
    extended = {name: {**section, **alone} for name, section in TINY_EXTENDED.items()}
    config = parse_config({**SMALL, "extended": extended})
    sections = {name: config.section(name).model_dump() for name in EXTENSIONS}
    readings = {name: config.readings.model_dump() for name in EXTENSIONS}
    tables = {name: simulated(config, name, tmp_path) for name in EXTENSIONS}
    laws = Laws(sections, config.seed, readings, RATINGS)
    evidence = ExtendedEvidence(sections, tables, laws)
    rows = check_all(evidence)
    lacking = [row["id"] for row in rows if row["verdict"] == "not measured"]
    assert lacking == ["E01", "E03", "E05", "E06", "E09", "E10"]
    table = comparison(by_case(evidence), laws_by_policy(evidence))
    assert "Hard-threshold UCB" in comparison_page(table)
