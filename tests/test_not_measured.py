"""Configs that hold too little for some claims: these are not measured, the rest is made."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from extended_helpers import TINY_EXTENDED
from fuzz_helpers import SMALL, changed
from judged_helpers import COUNTS, Judged, Tables, claims_on, judged, simulated
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.claims.ledger import check, claim_page, claims_table, parts_table
from penalized_bandits.cli.claims_text import in_full
from penalized_bandits.config import parse_config
from penalized_bandits.errors import ClaimError, NotMeasuredError
from penalized_bandits.extensions import EXTENSIONS
from penalized_bandits.extensions.claims.growth import growth_part
from penalized_bandits.extensions.comparison import Laws, by_case, comparison
from penalized_bandits.extensions.evidence import ExtendedEvidence
from penalized_bandits.extensions.ledger import check_all, comparison_page, laws_by_policy
from penalized_bandits.pages.verdicts import views
from penalized_bandits.replicates import read_setting
from penalized_bandits.studies import EXPERIMENTS

HARD = "hard_threshold_ucb"
ALONE = {
    ("setting_1", HARD): set(),
    ("setting_1", "ucb1"): set(),
    ("setting_2", HARD): {"C26", "C32"},
    ("setting_2", "ucb1"): set(),
    ("setting_3", HARD): set(),
    ("setting_3", "ucb1"): set(),
    ("setting_4", "ucb1"): set(),
    ("setting_5", HARD): set(),
    ("setting_5", "ucb1"): set(),
    ("crossover", HARD): set(),
    ("crossover", "explore_then_commit"): set(),
    ("movie_crossover", "ucb1"): set(),
    ("worst_case", HARD): {"C14", "C15"},
    ("worst_case", "ucb1"): set(),
    ("deterministic", "ucb1"): set(),
    ("two_instances", "ucb1"): {"C18"},
    ("equal_penalties", "ucb1"): set(),
}
"""An experiment with one policy, and the claims on it that are measured all the same."""
FEW: dict[str, dict[str, Any]] = {
    **{f"{name}, one replicate": {name: {"replicates": 1}} for name in EXPERIMENTS},
    **{
        f"{name}, one horizon": {name: {"horizons": SMALL[name]["horizons"][-1:]}}
        for name in EXPERIMENTS
        if "horizons" in SMALL[name]
    },
    "log_laws, fits of one replicate": {
        "log_laws": {"replicates": 1, "horizons": [200, 300, 400, 600, 800]}
    },
    "worst_case, fits of one replicate": {
        "worst_case": {"replicates": 1, "horizons": [20, 30, 40]}
    },
}
"""Experiments that are made small enough for some statistic to fail."""
LACKS = {
    "log_laws, one horizon": {"C11": "a fit takes 3 horizons, not 1"},
    "log_laws, fits of one replicate": {"C11": "a standard error takes two replicates, not one"},
    "worst_case, fits of one replicate": {
        "C15": "a standard error takes two replicates, not one (it stands on worst_case)",
        "C20": "a standard error takes two replicates, not one",
    },
}


@pytest.fixture(scope="module", name="unchanged")
def unchanged_fixture(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """Simulate every experiment of the small config."""
    folder = tmp_path_factory.mktemp("unchanged")
    return {name: simulated(parse_config(SMALL), name, folder) for name in EXPERIMENTS}


def made(changes: dict[str, dict[str, Any]], unchanged: Tables, folder: Path) -> Judged:
    """Make all that stands on the experiments of which some keys are changed."""
    edits = [((name, key), v) for name, keys in changes.items() for key, v in keys.items()]
    return judged(parse_config(changed(edits)), list(changes), unchanged, folder)


@pytest.mark.parametrize(("name", "policy"), ALONE)
def test_one_policy_alone(name: str, policy: str, unchanged: Tables, tmp_path: Path) -> None:
    done = made({name: {"policies": [policy]}}, unchanged, tmp_path)
    # Its panels are all of the other row, whatever the policies.
    elsewhere = {"C30"} if name == "setting_4" else set()
    on_it = set(claims_on(name)) - elsewhere
    assert on_it & set(done.reasons) == on_it - ALONE[name, policy]
    for claim in on_it & set(done.reasons):
        assert done.reasons[claim].startswith(f"Not measured under this config: {name} has no pol")


@pytest.mark.parametrize("few", FEW)
def test_too_few(few: str, unchanged: Tables, tmp_path: Path) -> None:
    done = made(FEW[few], unchanged, tmp_path)
    (name,) = FEW[few]
    assert set(claims_on(name)) <= set(done.rows)
    for claim, lack in LACKS.get(few, {}).items():
        assert lack in done.reasons[claim]


def test_figures_say_what_is_missing(unchanged: Tables, tmp_path: Path) -> None:
    done = made({"crossover": {"policies": [HARD]}}, unchanged, tmp_path)
    assert "C34 is not measured under this config" in done.captions["theory_crossover"]


@pytest.fixture(name="reduced")
def reduced_fixture(unchanged: Tables) -> Evidence:
    """Return the evidence on Setting 1 of a config without LFG, in the tables of one with it."""
    section = {**SMALL["setting_1"], "policies": [HARD, "fair_learn"]}
    return Evidence({"setting_1": section}, {"setting_1": unchanged["setting_1"]})


def test_a_row_that_was_not_measured_can_be_shown(reduced: Evidence) -> None:
    kept = [run for run in reduced.outcomes("setting_1") if run.policy != "lfg"]
    reduced._outcomes["setting_1"] = kept
    row, other = check("C24", reduced), check("C25", reduced)
    assert (row["verdict"], row["parts"], row["estimate"]) == ("not measured", 0, None)
    assert other["verdict"] != "not measured"
    why = "Not measured under this config: setting_1 has no policy lfg (it stands on setting_1)."
    assert row["note"] == why
    assert claims_table([row, other])["verdict"].to_list() == ["not measured", other["verdict"]]
    assert set(parts_table([row, other])["id"]) == {"C25"}
    assert [line for line in claim_page(row) if "Measured" in line or "|" in line] == []
    assert f"- Note: {why}" in claim_page(row)
    (text,) = in_full(row)
    assert why in str(text)
    (view,) = views([row], pd.DataFrame(), {"setting_1": 3}, lambda _: None)
    assert (view.verdict.name, view.measured, view.share, view.parts) == ("not measured", "", 0, ())


def test_what_the_config_asks_for_and_is_not_there_is_an_error(unchanged: Tables) -> None:
    asked = {**SMALL["setting_1"], "policies": [HARD, "lfg", "kl_ucb"]}
    evidence = Evidence({"setting_1": asked}, {"setting_1": unchanged["setting_1"]})
    with pytest.raises(ClaimError, match=r"no outcome of .* policy kl_ucb") as caught:
        evidence.outcomes("setting_1", policy="kl_ucb")
    assert not isinstance(caught.value, NotMeasuredError)


def test_growth_takes_two_horizons(unchanged: Tables) -> None:
    run = next(iter(read_setting(unchanged["setting_1"], 1)))
    with pytest.raises(NotMeasuredError, match="growth takes two horizons, not one"):
        growth_part("one", [run], 0.5)


def test_beyond_the_paper_with_the_hard_threshold_alone(tmp_path: Path) -> None:
    extended = {name: {**section, "policies": [HARD]} for name, section in TINY_EXTENDED.items()}
    config = parse_config({**SMALL, "extended": extended})
    sections = {name: config.section(name).model_dump() for name in EXTENSIONS}
    readings = {name: config.readings.model_dump() for name in EXTENSIONS}
    tables = {name: simulated(config, name, tmp_path) for name in EXTENSIONS}
    laws = Laws(sections, config.seed, readings, COUNTS)
    evidence = ExtendedEvidence(sections, tables, 1, laws)
    rows = check_all(evidence)
    assert [row["id"] for row in rows if row["verdict"] == "not measured"] == ["E05", "E06", "E09"]
    table = comparison(by_case(evidence, laws), laws_by_policy(evidence))
    assert "Hard-threshold UCB" in comparison_page(table)
