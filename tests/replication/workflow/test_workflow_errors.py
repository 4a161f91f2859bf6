"""Errors of users: named before any job starts, and no code in a config is run."""

import pytest

from workflow_helpers import Outcome, Project, made_in, several

pytestmark = pytest.mark.slow

# Snakemake's own reader of YAML comes first.
TEXTS = {
    "a case with a command": (
        'setting_2: {cases: {"a; touch RAN": {means: [0.5, 0.4], fairness: [0.1, 0.1]}}}',
        "setting_2.cases.'a; touch RAN': String should match pattern",
    ),
    "code": ('seed: !!python/object/apply:os.system ["touch RAN"]', "not valid JSON or YAML"),
    "no such archive": ("movielens: {source: archive, archive: no/a.zip}", "no/a.zip"),
    "an octal": ("seed: 010", "an octal.yaml, line 1: seed: 010 is 8 in YAML 1.1"),
}
PARTS = ("3of2", "0of2", "1of0", "5of9")
RESERVED = ("all", "default", "figure_1", "setting_1", "simulate")
WORDS = {
    **{name: [words] for name, (_, words) in TEXTS.items()},
    **{name: ["copy that into config/"] for name in ("no config", "no base")},
    "seed=010": ["--config seed=010: write numbers in decimal digits"],
    **{f"{p}.parquet": [f"setting_1 has no part {p[0]} of {p[3]}: parts"] for p in PARTS},
    "figure_9": ["there is no target figure_9: known are all, claims, ", ", figure_4, "],
    "sets": ["config/scenarios.yaml: all, default, figure_1, setting_1, simulate is the name of a"],
}


@pytest.fixture(scope="module")
def said(
    smoke_run: Project, fresh: Project, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Outcome]:
    """Return the outcome of a run with each config; no dry run, so that jobs could start."""
    project = fresh.copy(tmp_path_factory.mktemp("errors") / "project")
    requests = {}
    for name, (text, _) in TEXTS.items():
        (project.folder / f"{name}.yaml").write_text(text + "\n", encoding="utf-8")
        # Should it be taken, one job and not twenty.
        requests[name] = project.request("get_ratings", config=f"{name}.yaml")
    bare = project.copy(tmp_path_factory.mktemp("bare") / "project")
    (bare.folder / "config/config.yaml").unlink()
    requests["no config"] = bare.request("get_ratings", config=None)
    requests["no base"] = bare.request("get_ratings")
    requests["seed=010"] = project.request("get_ratings", options=["--config", "seed=010"])
    requests["figure_9"] = project.request("figure_9")
    for part in PARTS:
        file = f"results/replicates/setting_1/{part}.parquet"
        requests[f"{part}.parquet"] = project.request(file, options=["--dry-run"])
    named = project.copy(tmp_path_factory.mktemp("named") / "project")
    named.set_scenarios({name: {f"my_{name}": {"seed": 3}} for name in (*RESERVED, "own")})
    requests["sets"] = named.request("get_ratings")
    for words in ("seed=8", "sede=8"):
        requests[words] = smoke_run.request(options=["--summary", "--config", words])
    outcomes = several(requests, project.kernels)
    assert not list(project.folder.rglob("RAN*"))
    assert not list(project.folder.glob("results/movielens/rating_counts.csv"))
    return outcomes


@pytest.mark.sample
@pytest.mark.parametrize("name", WORDS)
def test_refused_before_any_job(said: dict[str, Outcome], name: str) -> None:
    status, text = said[name]
    assert status == 1
    for words in WORDS[name]:
        assert words in text, text
    # Snakemake's own, where an input function ends in an error.
    assert "Traceback (most recent call last)" not in text
    assert len(text) < 20_000
    assert "Get the ratings" not in text
    assert "this key is required" not in text


def test_config_on_the_command_line(said: dict[str, Outcome]) -> None:
    made = made_in(said["seed=8"])
    assert any("/replicates/" in file for file in made)
    assert not any("/movielens/" in file for file in made)
    assert said["sede=8"].status == 1
    assert "sede: unknown key" in said["sede=8"].text
