"""The command line under fuzzing: an exit code and one line, never a traceback."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from fuzz_helpers import TEXTS, fuzz
from penalized_bandits.cli import app
from penalized_bandits.policies import POLICIES

NUMBERS = st.one_of(
    st.sampled_from(["0", "1", "-1", "0.5", "1e308", "1e999", "nan", "-inf", "5e-324", "1e-300"]),
    st.sampled_from(["0.99999999999999999", "9223372036854775808", "4294967296", "1e18", "1_0"]),
    st.sampled_from(["", " ", "１", "0x10", "abc", "1,,2", "9" * 4200, "9" * 5000]),
    st.floats(0, 1).map(repr),
    st.integers(1, 40).map(str),
    TEXTS,
)
LISTS = st.lists(NUMBERS, min_size=1, max_size=3).map(",".join)
GOOD = st.sampled_from(["0.9,0.6", "0.5", "0.1,0.1", "0", "1,1", "0.3,0.3,0.3"])
BANDIT = ("--means", "--fairness", "--penalties")
SIMULATE = {
    **dict.fromkeys((*BANDIT, "--checkpoints"), LISTS),
    **dict.fromkeys(("--sd", "--seed", "--horizon", "--replicates"), NUMBERS),
    "--tuning": st.one_of(LISTS, NUMBERS.map("lfg={}".format)),
    "--rewards": st.sampled_from(["gaussian", "beta", "bernoulli", "deterministic", "x"]),
    "--csv": st.sampled_from(["a.csv", "", ".", "/", "no\x00", "a" * 300, "/proc/none/a"]),
}
PENALTIES = {
    **dict.fromkeys((*BANDIT, "--keep"), LISTS),
    **dict.fromkeys(("--horizon", "--noise"), NUMBERS),
    "--policy": st.sampled_from([*POLICIES, "x"]),
}
FEW = ["explore_then_commit", "lfg", "thompson", "ucb1"]
"""One policy of each kind: each is compiled for each family of rewards."""
POLICY_LISTS = st.lists(st.sampled_from(FEW), min_size=1, max_size=2).map(",".join)
LONG = 200
"""Rounds and replicates beyond which the simulation itself would take time."""


@st.composite
def arguments_of(
    draw: st.DrawFn, good: dict[str, str], options: dict[str, st.SearchStrategy[str]]
) -> list[str]:
    """Draw options of a command: good ones, up to three of them anything."""
    values = {name: draw(GOOD) for name in BANDIT} | good
    for name in draw(st.lists(st.sampled_from(sorted(options)), max_size=3)):
        values[name] = draw(options[name])
    for name in ("--horizon", "--replicates"):
        value = values.get(name, "")
        if value.isascii() and value.isdigit() and LONG < int(value[:20]) <= 10**9:
            values[name] = str(LONG)
    return [word for pair in values.items() for word in pair]


def check(arguments: list[str]) -> None:
    """Run a command; check its exit code and its message."""
    result = CliRunner().invoke(app, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 1, 2)
    if result.exit_code:
        assert result.stderr.count("\n") == 1
        assert result.stderr.startswith("penalized-bandits")
        assert len(result.stderr) < 10_000


@fuzz(30)
@given(
    policies=st.one_of(POLICY_LISTS, NUMBERS),
    options=arguments_of({"--horizon": "20", "--replicates": "3"}, SIMULATE),
)
def test_simulate(
    tmp_path_factory: pytest.TempPathFactory, policies: str, options: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.getbasetemp())
        check(["simulate", policies, *options])


@fuzz(30)
@given(arguments_of({"--horizon": "99"}, PENALTIES))
def test_penalties(options: list[str]) -> None:
    check(["penalties", *options])
