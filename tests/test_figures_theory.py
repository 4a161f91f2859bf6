"""Figures of the theory and of the ledger, from tables made up here."""

import math
import re
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.figure import Figure as Drawing

from penalized_bandits import provenance
from penalized_bandits.claims import laws, ledger
from penalized_bandits.claims.constructions import _assumed
from penalized_bandits.claims.evidence import Evidence
from penalized_bandits.config import load_config
from penalized_bandits.errors import SummaryError
from penalized_bandits.figures import ALL_FIGURES, FIGURES, THEORY_FIGURES
from penalized_bandits.figures.base import MadeWith, save_figure
from penalized_bandits.figures.sensitivity import MARKS
from penalized_bandits.figures.style import look_of, use_style
from penalized_bandits.figures.theory_instances import grid_of, law_instances
from penalized_bandits.figures.theory_lower_bounds import construction, two_instances
from penalized_bandits.figures.theory_series import FEWEST, SETTLED, bandit_of, with_interval
from penalized_bandits.settings import Readings
from penalized_bandits.studies import STUDIES
from penalized_bandits.summaries import COLUMNS, read_summary
from penalized_bandits.theory.bounds import (
    log_slopes,
    lower_bound_4_6,
    lower_bound_4_7,
    lower_bound_4_8,
)
from test_provenance import (
    ANY_POLICY,
    EVERY_POLICY,
    REGISTRIES,
    SCRIPTS,
    is_harmless,
    listed,
    reached,
)

CONFIG = load_config(Path(__file__).parents[1] / "config" / "config.yaml")
REPLICATES = 1234
SHOWN = "1\u2009234"
HARD = "hard_threshold_ucb"
HORIZONS = (1000, 3000, 10_000, 30_000, 100_000, 300_000)
FEW = (1000, 3000)

Row = dict[str, Any]
REGULAR = ([0.9, 0.8, 0.3], [0.1, 0.1, 0.1], [1.0, 1.0, 0.45])
BROKEN = ([0.9, 0.6, 0.3], [0.1, 0.1, 0.1], [1.0, 0.3, 0.1])


def values(mean: float, half: float = 0.02, n: int = REPLICATES) -> Row:
    """Return a mean with an interval of 2 % each way."""
    half = half * abs(mean)
    low, high = (mean - half, mean + half) if n > 1 else (math.nan, math.nan)
    se = half / 2 if n > 1 else math.nan
    return {"mean": mean, "se": se, "ci_low": low, "ci_high": high, "n_replicates": n}


def run(case: str, policy: str, horizon: int, regret: Row, bandit: Any, **arms: Any) -> list[Row]:
    """Return the rows of a run: its regret, and metrics of its arms."""
    head = {"case": case, "policy": policy, "horizon": horizon}
    means, fairness, penalties = (np.asarray(part, dtype=float) for part in bandit)
    rows = [{**head, "metric": "penalized_regret", **regret}]
    for metric, of_arms in {"pulls": np.full(means.size, 10.0), **arms}.items():
        for k, mean in enumerate(of_arms):
            about = {"arm": k + 1, "gap": means.max() - means[k]}
            about |= {"fairness_fraction": fairness[k], "penalty_rate": penalties[k]}
            rows.append({**head, "metric": metric, **values(float(mean)), **about})
    return rows


def log_laws(horizons: tuple[int, ...]) -> Iterator[Row]:
    # The broken one first: those that meet the conditions are drawn first nevertheless.
    for name, bandit in (("broken", BROKEN), ("regular", REGULAR), ("tau_power_050", REGULAR)):
        for horizon in horizons:
            means, fairness, penalties = bandit
            if name.startswith("tau"):
                fairness = [horizon**-0.5] * 3
            regret = values(5 + 30 * math.log(horizon))
            deficits = {"max_deficit": [0.1, 0.2, horizon / 12]}
            deficits["arm_unfairness"] = [0.0, 0.0, horizon / 12]
            policies = (HARD, "ucb1") if name == "broken" else (HARD,)
            for policy in policies:
                case = f"{name}_T{horizon}"
                yield from run(
                    case, policy, horizon, regret, (means, fairness, penalties), **deficits
                )


def worst_case(horizons: tuple[int, ...]) -> Iterator[Row]:
    powers = {HARD: 0.5, "ucb1": 1.0, "explore_then_commit": 2 / 3}
    for horizon in horizons:
        for multiple in (0.5, 1.0, 2.0):
            gap = multiple * math.sqrt(3 * math.log(horizon) / horizon)
            for ratio in (0.5, 2.0):
                bandit = ([0.5 + gap, 0.5, 0.5], [0.1] * 3, [ratio * gap] * 3)
                case = f"T{horizon}_gap{multiple:g}_ratio{ratio:g}"
                for policy, power in powers.items():
                    # Replicates that agree, in a policy that does not look.
                    half = 0.0 if policy == "explore_then_commit" else 0.02
                    regret = values(multiple * ratio * horizon**power, half)
                    yield from run(case, policy, horizon, regret, bandit)


def deterministic(horizons: tuple[int, ...]) -> Iterator[Row]:
    for horizon in horizons:
        log = math.log(horizon)
        noncritical = ([0.5, 0, 0, 0, 0], [0.15] * 5, [0.3] * 5)
        level = 0.5 * log / 0.2**2 / horizon
        tau = [0.05, level, level, 0.05, 0.05]
        critical = ([0.6, 0.4, 0.4, 0.2, 0.2], tau, [0.5, 0.5, 0.5, 0.2, 0.2])
        for theorem, bandit in (("4_6", noncritical), ("4_7", critical)):
            case = f"theorem_{theorem}_T{horizon}"
            yield from run(case, HARD, horizon, values(50 * log, n=1), bandit)
        yield from run(f"theorem_4_1_T{horizon}", HARD, horizon, values(9.0, n=1), critical)


def instances(horizons: tuple[int, ...]) -> Iterator[Row]:
    for horizon in horizons:
        gap = math.sqrt(1 / horizon)
        for policy in (HARD, "lfg"):
            for better in (None, 2, 3):
                means = [gap, 0.0, 0.0]
                regret = 5 * math.sqrt(horizon)
                if better is not None:
                    means[better - 1] = 2 * gap
                    # Arm 3 is pulled least, so that the instance of arm 2 does not count.
                    regret *= 100 if better == 2 else 3
                case = f"T{horizon}_{'first' if better is None else f'arm{better}'}"
                bandit = (means, [0.1] * 3, [0.5] * 3)
                pulls = [horizon - 30.0, 20.0, 10.0]
                yield from run(case, policy, horizon, values(regret), bandit, pulls=pulls)


CELLS = ("K5_tau0.2", "K20_tau0.8", "setting_2_case_1", "movies_m0_2500")


def crossover(horizons: tuple[int, ...], cells: tuple[str, ...] = CELLS[:-1]) -> Iterator[Row]:
    for case in cells:
        for policy, power in ((HARD, 0.3), ("ucb1", 0.8), ("explore_then_commit", 0.66)):
            for horizon in horizons:
                if policy != "explore_then_commit" or horizon in (1000, 100_000):
                    yield from run(case, policy, horizon, values(horizon**power), REGULAR)


ROWS = {
    "log_laws": log_laws,
    "worst_case": worst_case,
    "deterministic": deterministic,
    "two_instances": instances,
    "crossover": crossover,
    "movie_crossover": partial(crossover, cells=CELLS[-1:]),
}


def checked() -> list[dict[str, Any]]:
    """Return claims as the job of the study writes them."""
    nan = math.nan
    numbers = [(42_929.3, 34_401.8, 59_175.7), (nan, 0, 1000), (3000.0, 0.0, math.inf)]
    numbers.append((nan, 1e6, math.inf))
    details = ["overtakes there", "ahead from T = 1000 or before", "is overtaken there"]
    details.append("behind up to T = 1000000")
    rows = [
        {
            "name": f"{case} against ucb1",
            "estimate": at,
            "low": low,
            "high": high,
            "status": "fails" if "is over" in detail or "behind" in detail else "holds",
            "detail": detail,
        }
        for case, (at, low, high), detail in zip(CELLS, numbers, details, strict=True)
    ]
    other = {**rows[0], "name": f"{CELLS[0]} against explore_then_commit"}
    return [{"id": "C36", "all_parts": [other]}, {"id": "C34", "all_parts": rows}]


def verdicts(claims: int = 4) -> pd.DataFrame:
    found = [
        ("log_of", "n-1", "C01", "reproduced", "reproduced"),
        ("log_of", "n-1", "C02", "inconclusive", "reproduced"),
        ("log_of", "n-1", "C03", "partly", "partly"),
        ("lfg", "original", "C03", "not reproduced", "partly"),
        ("lfg", "original", "C04", "not reproduced", "not reproduced"),
        *(("lfg", "original", f"C{i:02}", "partly", "partly") for i in range(5, claims + 1)),
    ]
    names = ("reading", "value", "id", "verdict", "default_verdict")
    return pd.DataFrame(found, columns=list(names))


def tables_for(figure: str, folder: Path, horizons: tuple[int, ...] = HORIZONS) -> dict[str, str]:
    """Write a figure's tables and return their paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {}
    for study in THEORY_FIGURES[figure].studies:
        table = pd.DataFrame(list(ROWS[study](horizons))).reindex(columns=list(COLUMNS))
        table["setting"] = study
        tables[study] = str(folder / f"{study}.csv")
        table.astype({"arm": "Int64"}).to_csv(tables[study], index=False)
    for name in THEORY_FIGURES[figure].claims:
        tables[name] = str(folder / f"{name}.csv")
        verdicts().to_csv(tables[name], index=False)
    for topic in THEORY_FIGURES[figure].topics:
        path = folder / f"{topic}.json"
        path.write_text(ledger.to_json(checked()), encoding="utf-8")
        tables[f"{topic}_claims"] = str(path)
    return tables


def made_with(figure: str, **readings: Any) -> MadeWith:
    wanted, config = THEORY_FIGURES[figure], CONFIG.model_dump()
    names = [name for name in (*wanted.studies, *wanted.claims) if name in config]
    return MadeWith({name: config[name] for name in names}, Readings(**readings))


def draw(figure: str, tables: dict[str, str]) -> Drawing:
    use_style()
    drawing = import_module(f"penalized_bandits.figures.{figure}").draw(tables)
    drawing.draw_without_rendering()
    return drawing


def caption(figure: str, tables: dict[str, str], **readings: Any) -> str:
    module = import_module(f"penalized_bandits.figures.{figure}")
    return module.caption(tables, made_with(figure, **readings))


def words(drawing: Drawing) -> str:
    """Return all that a figure says outside of its legend."""
    found = [
        text.get_text()
        for axes in drawing.axes
        for text in (*axes.texts, axes.title, axes._left_title)  # type: ignore[attr-defined]
    ]
    return "\n".join(found).replace("\u2009", " ")


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Undo what a figure sets for all of matplotlib."""
    with mpl.rc_context():
        yield
    plt.close("all")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save every figure twice, into one/ and two/."""
    folder = tmp_path_factory.mktemp("figures")
    with mpl.rc_context():
        for number in ("one", "two"):
            for figure in THEORY_FIGURES.values():
                tables = tables_for(figure.id, folder / number / figure.id)
                made = made_with(figure.id, lfg="original")
                save_figure(figure, tables, made, folder / number / figure.id)
    return folder


# --- All of them -------------------------------------------------------------------


def test_registry() -> None:
    assert list(ALL_FIGURES) == [*FIGURES, *THEORY_FIGURES]
    for figure in FIGURES.values():
        assert figure.experiments == (figure.setting,)
    for figure in THEORY_FIGURES.values():
        assert figure.experiments == figure.studies
        assert set(figure.studies) <= set(STUDIES)
        assert figure.studies or figure.claims


@pytest.mark.parametrize("figure", THEORY_FIGURES)
@pytest.mark.parametrize("suffix", ["pdf", "svg", "png", "md"])
def test_same_bytes_each_time(saved: Path, figure: str, suffix: str) -> None:
    one, two = ((saved / n / f"{figure}.{suffix}").read_bytes() for n in ("one", "two"))
    assert len(one) > (200 if suffix == "md" else 5000)
    assert one == two


@pytest.mark.parametrize("figure", THEORY_FIGURES)
def test_files(saved: Path, figure: str) -> None:
    pdf = (saved / "one" / f"{figure}.pdf").read_bytes()
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf
    media = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert media is not None
    assert float(media[1]) == pytest.approx(7.16 * 72, abs=0.1)
    assert float(media[2]) <= 9.5 * 72
    svg = (saved / "one" / f"{figure}.svg").read_text(encoding="utf-8")
    assert "<image" not in svg
    assert "<text" not in svg


@pytest.mark.parametrize("figure", THEORY_FIGURES)
def test_caption(saved: Path, figure: str) -> None:
    text = (saved / "one" / f"{figure}.md").read_text(encoding="utf-8")
    assert re.match(r"\*\*[A-Z][^*]+\*\* ", text)
    assert text.count("\n") == 1
    assert "95 %" in text
    assert "Readings switched from their defaults: lfg: original" in text
    if THEORY_FIGURES[figure].studies:
        assert f"means of {SHOWN} replicates" in text
        assert "95 % t-intervals" in text
    else:
        assert "at most 24 replicates" in text


@pytest.mark.parametrize("figure", [f for f, it in THEORY_FIGURES.items() if it.studies])
def test_policies_have_their_colours(tmp_path: Path, figure: str) -> None:
    drawing = draw(figure, tables_for(figure, tmp_path))
    legend = drawing.legends[0]
    colours = {
        text.get_text(): to_hex(handle.get_color())  # type: ignore[union-attr]
        for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True)
        if hasattr(handle, "get_color")
    }
    if figure == "theory_maximal":  # one policy, arms in one hue
        assert {"arm 1", "arm 2"} <= set(colours)
        return
    looks = {look_of(policy).label: look_of(policy).colour.lower() for policy in (HARD, "ucb1")}
    assert colours[look_of(HARD).label] == looks[look_of(HARD).label]
    assert all(colours.get(label, colour) == colour for label, colour in looks.items())


@pytest.mark.parametrize("figure", [f for f, it in THEORY_FIGURES.items() if it.studies])
@pytest.mark.parametrize("horizons", [FEW, FEW[:1]])
def test_few_horizons(tmp_path: Path, figure: str, horizons: tuple[int, ...]) -> None:
    tables = tables_for(figure, tmp_path, horizons)
    said = words(draw(figure, tables))
    text = caption(figure, tables)
    if figure == "theory_log_t":
        assert said.count("too few horizons") == 3
        assert "nothing is fitted" in text
    if figure == "theory_exponents":
        assert said.count("no fit") == 3
        assert f"A fit takes {FEWEST} horizons" in text


@pytest.mark.parametrize("figure", [f for f, it in THEORY_FIGURES.items() if it.studies])
def test_one_replicate_has_no_bars(tmp_path: Path, figure: str) -> None:
    tables = tables_for(figure, tmp_path)
    for study in THEORY_FIGURES[figure].studies:
        table = pd.read_csv(tables[study])
        table[["se", "ci_low", "ci_high"]] = math.nan
        table["n_replicates"] = 1
        table.to_csv(tables[study], index=False)
    draw(figure, tables)
    assert "means of 1 replicates" in caption(figure, tables)


@pytest.mark.parametrize("figure", THEORY_FIGURES)
def test_tables_of_another_form_are_refused(tmp_path: Path, figure: str) -> None:
    tables = tables_for(figure, tmp_path)
    name = next(iter(tables))
    column = "verdict" if figure == "sensitivity" else "ci_low"
    pd.read_csv(tables[name]).drop(columns=[column]).to_csv(tables[name], index=False)
    with pytest.raises(SummaryError, match=rf"{name}\.csv lacks the columns \['{column}'\]"):
        draw(figure, tables)


@pytest.mark.parametrize("figure", THEORY_FIGURES)
def test_code_that_a_figure_stands_on(figure: str) -> None:
    tables = {"frontier.py", "replicates.py"} | EVERY_POLICY | ANY_POLICY
    registries = set(REGISTRIES) - {"policies/__init__.py"}
    watched = listed(provenance.figure_code(THEORY_FIGURES[figure]))
    passing = tables | registries
    if "regret.py" not in watched:
        passing |= {"regret.py"}
    needed = reached(SCRIPTS / "draw_figure.py", f"figures/{figure}.py", passing=passing)
    harmless = {file for file in needed if is_harmless(file)} | {"settings/base.py"}
    assert needed - watched - harmless == set()
    assert watched <= needed


# --- Laws in log T -----------------------------------------------------------------


def test_same_rules_as_the_ledger() -> None:
    assert SETTLED == laws.SETTLED


def test_instances_that_meet_the_conditions_come_first(tmp_path: Path) -> None:
    tables = tables_for("theory_log_t", tmp_path)
    found = law_instances(read_summary(tables["log_laws"]))
    assert {one.name: one.broken for one in found} == {
        "broken": "breaks (i) and (ii)",
        "regular": "",
        "tau_power_050": "τ depends on T",
    }
    rows = [[one.name for one in row] for row in grid_of(found)]
    assert rows == [["regular"], ["broken", "tau_power_050"]]
    # 0.9 - 0.6 is more than 0.3, which is rounding: the arm's rate is at its gap.
    assert bandit_of(found[0].rows).served.tolist() == [True, True, False]


def test_slopes_are_said_with_the_bounds(tmp_path: Path) -> None:
    said = words(draw("theory_log_t", tables_for("theory_log_t", tmp_path)))
    assert "(a) regular\n" in said
    assert "(c) τ power 0.50" in said
    # Regret was made up as 5 + 30 log T.
    assert len(re.findall(r"b = 30\.?\d* \[", said)) == 3
    limits = log_slopes(*REGULAR)
    assert f"bounds {limits.lower.sum():.3g} to {limits.upper.sum():.3g}" in said
    assert said.count("bounds") == 2


def test_deficits_say_where_the_bound_is(tmp_path: Path) -> None:
    tables = tables_for("theory_maximal", tmp_path)
    drawing = draw("theory_maximal", tables)
    assert re.search(r"a\$_j\$ log T ≥ [\d ]+", words(drawing))
    text = caption("theory_maximal", tables)
    assert "No mean exceeds 0.2 pulls" in text
    # The arm that is not served is not drawn: it would be 25 000 pulls short.
    assert drawing.axes[0].get_ylim()[1] < 1


def test_bound_of_the_deficit_is_drawn_where_it_is_on_the_scale(tmp_path: Path) -> None:
    tables = tables_for("theory_maximal", tmp_path)
    lines = [len(axes.lines) for axes in draw("theory_maximal", tables).axes if axes.axison]
    table = pd.read_csv(tables["log_laws"])
    columns = ["mean", "se", "ci_low", "ci_high"]
    table.loc[table["metric"] == "max_deficit", columns] *= 1e6
    table.to_csv(tables["log_laws"], index=False)
    more = [len(axes.lines) for axes in draw("theory_maximal", tables).axes if axes.axison]
    # Two served arms each, one of them with an infinite coefficient (its rate is its gap);
    # where tau depends on T there is no line.
    assert more == [lines[0] + 2, lines[1] + 1, lines[2]]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((44.8025, 41.0636, 48.5414), "44.8 [41.1, 48.5]"),
        ((103.81, 80.74, 126.88), "104 [81, 127]"),
        ((-0.1219, -0.2176, -0.0267), "−0.12 [−0.22, −0.03]"),
        ((-0.0001, -0.0002, 0.0001), "0.00 [0.00, 0.00]"),
        ((2.0, 2.0, 2.0), "2.00 [2.00, 2.00]"),
        ((1.0, -math.inf, math.inf), "1.00 [−inf, inf]"),
    ],
)
def test_estimates_with_intervals(numbers: tuple[float, float, float], text: str) -> None:
    assert with_interval(*numbers) == text


# --- Worst cases, lower bounds, crossings ------------------------------------------


def test_exponents_are_found(tmp_path: Path) -> None:
    said = words(draw("theory_exponents", tables_for("theory_exponents", tmp_path)))
    for exponent in ("0.50 [", "1.00 [", "0.67 [0.67, 0.67]"):
        assert exponent in said
    for guide in ("T$^{1/2}$", "T$^{2/3}$"):
        assert said.count(guide) == 2


def test_ratios_to_lower_bounds(tmp_path: Path) -> None:
    tables = tables_for("theory_lower_bounds", tmp_path)
    exact = read_summary(tables["deterministic"])
    for theorem, bound_of in (("4.6", lower_bound_4_6), ("4.7", lower_bound_4_7)):
        points = construction(exact, theorem)
        assert points["horizon"].tolist() == list(HORIZONS)
        for point in points.itertuples():
            horizon = int(str(point.horizon))
            case = f"theorem_{theorem.replace('.', '_')}_T{horizon}"
            bandit = bandit_of(exact[exact["case"] == case])
            expected = 50 * math.log(horizon) / float(bound_of(*bandit, horizon))
            assert point.ratio == pytest.approx(expected)
        assert 0 < points["assumed"].sum() < len(points)
    noisy = two_instances(read_summary(tables["two_instances"]))
    assert len(noisy) == 2 * len(HORIZONS)
    expected = 15 * math.sqrt(1000) / float(lower_bound_4_8([0.1] * 3, 1000))
    assert noisy["mean"].iloc[0] == pytest.approx(expected)


@pytest.mark.parametrize("theorem", ["4.6", "4.7"])
def test_assumptions_are_those_of_the_ledger(tmp_path: Path, theorem: str) -> None:
    # The bandits made up above are those of the config.
    exact = read_summary(tables_for("theory_lower_bounds", tmp_path)["deterministic"])
    points = construction(exact, theorem)
    section = CONFIG.section("deterministic")

    class Given(Evidence):
        def __init__(self) -> None:
            pass

        def section(self, experiment: str) -> Any:
            return section

    ours = points["assumed"].tolist()
    name = theorem.replace(".", "_")
    assert ours == [_assumed(name, Given(), horizon) for horizon in HORIZONS]


def test_crossings_are_marked(tmp_path: Path) -> None:
    tables = tables_for("theory_crossover", tmp_path)
    drawing = draw("theory_crossover", tables)
    said = words(drawing)
    assert "(a) K = 5, τ = 0.2\n" in said
    assert "(c) Setting 2, case 1" in said
    assert "T = 42 900 [34 400, 59 200]" in said
    assert "ahead from T = 1000 or before" in said
    assert "T = 3 000, is overtaken there" in said
    assert "behind up to T = 1000000\n\n(d) MovieLens, m₀ = 2 500" in said
    # C36 is another claim.
    marks = [
        line
        for line in drawing.axes[0].lines
        if len(set(np.asarray(line.get_xdata()).tolist())) == 1
        and float(np.asarray(line.get_xdata())[0]) == pytest.approx(42_929.3)
    ]
    assert len(marks) == 1
    once = caption("theory_crossover", tables, means="once")
    assert "drawn once" in once
    assert "spread between drawn instances" not in once


# --- Sensitivity -------------------------------------------------------------------


def test_verdicts(tmp_path: Path) -> None:
    tables = tables_for("sensitivity", tmp_path)
    drawing = draw("sensitivity", tables)
    (axes,) = drawing.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["C01", "C02", "C03", "C04"]
    heads = [label.get_text() for label in axes.get_xticklabels()]
    assert heads == ["default", "log of:\nn-1", "LFG:\noriginal"]
    drawn = {
        (float(np.asarray(line.get_xdata())[0]), float(np.asarray(line.get_ydata())[0])): line
        for line in axes.lines
        if line.get_linestyle() == "None"
    }
    assert drawn[1, 1].get_markerfacecolor() == MARKS["inconclusive"].face
    assert drawn[2, 2].get_marker() == MARKS["not reproduced"].marker
    assert drawn[0, 2].get_marker() == MARKS["partly"].marker
    assert drawn[1, 3].get_marker() == "."
    changed = [patch.get_gid() for patch in axes.patches if patch.get_gid()]
    assert changed == ["changed C02 log_of", "changed C03 lfg"]
    text = caption("sensitivity", tables)
    assert "log_of to n-1, lfg to original" in text
    assert "2 of 5 verdicts change (C02, C03)" in text


def test_verdicts_in_grey() -> None:
    looks = {(mark.marker, mark.face == mark.colour) for mark in MARKS.values()}
    assert len(looks) == len(MARKS)


def test_many_claims_are_set_in_two_blocks(tmp_path: Path) -> None:
    tables = tables_for("sensitivity", tmp_path)
    verdicts(claims=37).to_csv(tables["sensitivity"], index=False)
    drawing = draw("sensitivity", tables)
    assert [len(axes.get_yticks()) for axes in drawing.axes] == [19, 18]
    assert drawing.get_figheight() < 9.5


def test_no_verdict_changes(tmp_path: Path) -> None:
    tables = tables_for("sensitivity", tmp_path)
    table = verdicts()
    table["verdict"] = table["default_verdict"]
    table.to_csv(tables["sensitivity"], index=False)
    assert "None of 5 verdicts changes" in caption("sensitivity", tables)
