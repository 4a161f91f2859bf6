"""``penalized-bandits why`` names the config key or the file that made a result stale."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from config_helpers import FILE, ROOT
from penalized_bandits.cli import app
from penalized_bandits.common.errors import ConfigError, OriginError
from penalized_bandits.config import BaseConfig, load_config
from penalized_bandits.storage.origins import origin_path, without_details, write_origin
from penalized_bandits.workflow import staleness
from penalized_bandits.workflow.made_with import MadeWith
from penalized_bandits.workflow.why import changed_files, changed_values, explain

SAME = "Nothing of it has changed."
STALE = "The next run makes it again."


@pytest.fixture(scope="module", name="config")
def config_fixture() -> BaseConfig:
    return load_config(FILE)


@pytest.fixture(name="figure")
def figure_fixture(config: BaseConfig, tmp_path: Path) -> Path:
    path = tmp_path / "figure_4.pdf"
    path.write_text("a figure")
    write_origin(origin_path(path), MadeWith(config).figure("figure_4"), [path])
    return path


def with_keys(tmp_path: Path, text: str) -> BaseConfig:
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    return load_config(FILE, tmp_path / "mine.yaml")


def test_nothing_has_changed(figure: Path, config: BaseConfig) -> None:
    lines = explain(figure, config)
    assert lines[0].startswith(f"{figure} was made with penalized-bandits ")
    assert "  seed         20250301" in lines
    assert "  experiments  setting_4" in lines
    assert lines[-1] == SAME


def test_a_key_of_the_config_has_changed(figure: Path, tmp_path: Path) -> None:
    lines = explain(figure, with_keys(tmp_path, "setting_4: {horizon: 777}\n"))
    assert lines[-3:] == [
        "Changed since, in the config:",
        "  setting_4.horizon: was 20000, is 777",
        STALE,
    ]


@pytest.mark.parametrize(
    "text",
    ["setting_1: {replicates: 3}\n", "simulation: {chunks: 2}\n", "readings: {lfg: paper}\n"],
)
def test_keys_that_it_does_not_stand_on(figure: Path, tmp_path: Path, text: str) -> None:
    assert explain(figure, with_keys(tmp_path, text))[-1] == SAME


def test_a_reading_has_changed(figure: Path, tmp_path: Path) -> None:
    changed = with_keys(tmp_path, "readings: {setting_4_rewards: bernoulli}\n")
    line = "  readings.setting_4_rewards: was gaussian, is bernoulli"
    assert line in explain(figure, changed)


def test_a_file_of_the_package_has_changed(
    figure: Path, config: BaseConfig, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in staleness.reached("figures/figure_4.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((staleness.PACKAGE / name).read_bytes())
    then = staleness.contents([staleness.PACKAGE / "figures/figure_4.py"])
    monkeypatch.setattr(staleness, "PACKAGE", tmp_path)
    assert changed_files(then) == []
    with (tmp_path / "figures/figure_4.py").open("a") as file:
        file.write("# edited\n")
    assert changed_files(then) == ["figures/figure_4.py: was edited"]
    (tmp_path / "figures/figure_4.py").unlink()
    assert changed_files(then) == ["figures/figure_4.py: is gone"]


def test_values_that_come_and_go() -> None:
    assert changed_values({"a": {"b": 1}, "c": 2}, {"a": {"d": 1}, "c": 2}) == [
        "a.b: was 1, is not there",
        "a.d: was not there, is 1",
    ]


def test_the_file_itself_has_changed(figure: Path, config: BaseConfig) -> None:
    figure.write_text("another")
    assert "  it is not what was written" in explain(figure, config)
    figure.unlink()
    assert "  it is missing" in explain(figure, config)


def test_every_result_that_can_be_made_can_be_explained(config: BaseConfig, tmp_path: Path) -> None:
    for number, made_with in enumerate(MadeWith(config).expected().values()):
        path = tmp_path / f"{number}.csv"
        path.write_text("")
        write_origin(origin_path(path), made_with, [path])
        assert explain(path, config)[-1] == SAME, made_with


def test_a_result_of_an_earlier_version(figure: Path, config: BaseConfig) -> None:
    write_origin(
        origin_path(figure), without_details(MadeWith(config).figure("figure_4")), [figure]
    )
    with pytest.raises(OriginError, match="earlier version, without details: run again"):
        explain(figure, config)


def test_a_result_beyond_the_paper(config: BaseConfig, tmp_path: Path) -> None:
    extended = load_config(FILE, ROOT / "config/extended.yaml")
    path = tmp_path / "long_runs.csv"
    path.write_text("")
    write_origin(origin_path(path), MadeWith(extended).summary("long_runs"), [path])
    assert explain(path, extended)[-1] == SAME
    with pytest.raises(ConfigError, match=r"stands on long_runs, .* add --configfile"):
        explain(path, config)


def test_on_the_command_line(figure: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["why", str(figure), "--base", str(FILE)])
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, SAME)
    nothing = CliRunner().invoke(app, ["why", str(tmp_path / "none"), "--base", str(FILE)])
    assert nothing.exit_code == 1
    assert isinstance(nothing.exception, SystemExit | OriginError)
    assert "has no origin" in nothing.stderr
