"""Start of a job: imports, garbage collection and threads, which cost a short job most."""

import json
import logging
import os
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from types import SimpleNamespace

import pytest

from config_helpers import ROOT
from penalized_bandits.common.errors import BanditError
from penalized_bandits.common.files import write_text
from penalized_replication.claims.results import PAPERS, to_json
from penalized_replication.experiments.own_policies import VARIABLE
from penalized_replication.workflow import job
from penalized_replication.workflow.closing import closing_lines
from programs import WITHOUT_EXTRAS, printed_by, ran
from rule_helpers import result
from workflow_helpers import Project, environment

SET_BY_JOBS = ("OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", VARIABLE)


def output_of(code: str, folder: Path, *arguments: str, **variables: str) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in SET_BY_JOBS}
    return printed_by(code, *arguments, cwd=folder, env=environment | variables)


COLLECTOR = """
import gc, os
from types import SimpleNamespace
from weakref import ref
from penalized_replication.workflow.job import job

class Ring(list):
    pass

print(os.environ["OPENBLAS_NUM_THREADS"], gc.isenabled())
with job(SimpleNamespace(log=["job.log"], input={}, config={})):
    print(gc.isenabled(), gc.get_freeze_count() > 1000)
    ring = Ring()
    ring.append(ring)
    there = ref(ring)
    del ring
    gc.collect()
print(there())
"""


def test_the_collector_rests_until_the_job_begins(tmp_path: Path) -> None:
    assert output_of(COLLECTOR, tmp_path).split() == ["1", "False", "True", "True", "None"]
    assert output_of(COLLECTOR, tmp_path, OPENBLAS_NUM_THREADS="2")[0] == "2"


ROUNDED = """
from penalized_replication.workflow.job import job
import hashlib
import numpy as np
a, b = np.random.default_rng(0).random((2, 300, 300))
print(hashlib.sha256(b"".join(x.tobytes() for x in (a @ b, np.log(a), np.exp(b)))).hexdigest())
"""


@pytest.mark.parametrize("own", ["", "mine=penalized_bandits.policies.classical.imed:POLICY"])
def test_products_and_logarithms_are_computed_without_avx_512(tmp_path: Path, own: str) -> None:
    """Also with a policy of the user's own; only a processor with AVX-512 can fail it."""
    avx2 = {"OPENBLAS_CORETYPE": "Zen", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"}
    given = {VARIABLE: own} if own else {}
    assert output_of(ROUNDED, tmp_path, **given) == output_of(ROUNDED, tmp_path, **avx2)


RULES = "".join(
    path.read_text("utf-8").partition("onsuccess:")[0]
    for path in (ROOT / "workflow/Snakefile", *sorted((ROOT / "workflow/rules").iterdir()))
)
HEAVY = "numba llvmlite pandas matplotlib seaborn scipy pyarrow snakemake"
ABSENT = {
    **dict.fromkeys(("replication.config", "replication.figures"), HEAVY),
    # What the rules import, which each start of Snakemake reads.
    **dict.fromkeys(re.findall(r"(?m)^ *from penalized_(\S+) import", RULES), HEAVY),
    **dict.fromkeys(("replication.workflow.job", "bandits.live"), HEAVY),
    "replication.storage.replicates": "pandas",
    "replication.experiments.simulate": "pandas",
    "bandits.statistics.estimates": "scipy.stats",
}
"""Packages that a module does without, in the order of the imports: each takes as long to
import as a short job's own work."""
IMPORTS = """
import json, sys
from importlib import import_module
for module, absent in json.loads(sys.argv[1]).items():
    import_module(f"penalized_{module}")
    print(module, *sorted({*absent.split()} & sys.modules.keys()))
"""


def test_heavy_packages_are_not_imported(tmp_path: Path) -> None:
    assert output_of(IMPORTS, tmp_path, json.dumps(ABSENT)).splitlines() == [*ABSENT]


REFUSING = "import sys; sys.modules.update(dict.fromkeys({packages}))\n"


def test_library_needs_no_extra(tmp_path: Path) -> None:
    installed = {name.partition(".")[0] for name in packages_distributions()}
    needed = {"llvmlite", "numba", "numpy", "scipy", "penalized_bandits"}
    refusing = REFUSING.format(packages=installed - needed)
    done = ran(sys.executable, "-c", refusing + WITHOUT_EXTRAS, cwd=tmp_path)
    # Only the command line at the end needs one.
    assert done.stderr.splitlines()[-1:] == [
        "penalized-bandits: this needs 'typer': pip install 'penalized-bandits[cli]' "
        "(of a checkout: './src/library[cli]')"
    ]


@pytest.mark.parametrize("option", ["--lint", "--dry-run"])
def test_snakemake_without_the_package_names_what_to_install(fresh: Project, option: str) -> None:
    refusing = REFUSING.format(packages={"penalized_replication"})
    code = f"{refusing}from snakemake.cli import main; main()"
    how = {"cwd": fresh.folder, "env": environment(fresh.folder, fresh.kernels)}
    done = ran(sys.executable, "-c", code, option, **how)
    said = (done.stdout + done.stderr).splitlines()
    (line,) = (line for line in said if "(No module named 'penalized_replication" in line)
    remedy = "pip install -e src/library -e src/replication"
    assert line.endswith(f"{remedy}, or conda env create -f environment.yml")
    assert done.returncode == 1


# --- Progress of long jobs: the lines, their times, and where they are written -----


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=1000.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(job, "time", clock)
    return clock


@pytest.fixture
def package_log() -> Iterator[logging.Logger]:
    log = logging.getLogger("penalized_replication")
    handlers, level = log.handlers, log.level
    yield log
    log.handlers, log.level = handlers, level


def test_lines_come_less_and_less(clock: SimpleNamespace, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    progress = job.Progress(200, logging.getLogger("test"), "setting_1")
    times: list[int] = []
    for second in range(1, 101):
        clock.now += 1
        before = len(caplog.messages)
        progress(2)
        times += [second] * (len(caplog.messages) - before)
    assert times == [5, 8, 12, 18, 27, 41, 62, 93]
    assert caplog.messages[0] == "setting_1: 5 % after 5 s, about 95 s left"


def test_short_jobs_and_first_lines(
    clock: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    # No estimate before a twentieth; a job of less than five seconds logs its end alone.
    early, short = (job.Progress(n, logging.getLogger("test"), "setting_1") for n in (100, 4))
    for _ in range(4):
        clock.now += 1.2
        short(1)
    short.finish()
    clock.now += 1.2
    early(4)
    assert caplog.messages == [
        "done: 4 pulls in 4.8 s (1.2e+09 ns each)",
        "setting_1: 4 % after 6 s",
    ]


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_goes_to_the_file_and_to_a_terminal(
    terminal: bool,
    clock: SimpleNamespace,
    package_log: logging.Logger,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    with job.job(SimpleNamespace(log=[tmp_path / "job.log"], input={}, config={})) as log:
        assert log is package_log
        progress = job.Progress(10, log, "setting_1")
        for _ in range(2):
            clock.now += 3
            progress(2)
        log.info("an information")
        log.warning("a warning")
    text = (tmp_path / "job.log").read_text(encoding="utf-8")
    line = "setting_1: 40 % after 6 s, about 9 s left\n"
    assert re.search(rf"INFO +{re.escape(line)}", text)
    assert "INFO    an information" in text
    assert "WARNING a warning" in text
    assert capsys.readouterr() == ("", f"{line if terminal else ''}a warning\n")


@pytest.mark.parametrize("kind", [MemoryError, ImportError, BanditError])
def test_too_little_memory_is_said_in_a_sentence(
    kind: type[Exception], package_log: logging.Logger, tmp_path: Path
) -> None:
    given = SimpleNamespace(log=[tmp_path / "job.log"], input={}, config={})
    with pytest.raises(SystemExit), job.job(given):
        raise kind("a") from ImportError("a.so: failed to map segment from shared object")
    (line,) = (tmp_path / "job.log").read_text(encoding="utf-8").splitlines()
    assert line.endswith("not enough memory (a): smaller jobs (simulation.chunks) need less")


def test_the_end_names_what_this_run_made_and_ends_no_run(tmp_path: Path) -> None:
    names = ["scenarios/lfg/claims/claims.md", "figures/figure_4.png"]
    claims, figure = (tmp_path / name for name in names)
    for path in (claims.with_suffix(".json"), claims, figure):
        write_text(path, to_json([result("C01", config=PAPERS)]))
    os.utime(figure, (1e9, 1e9))
    assert [*closing_lines(tmp_path, 1e11)] == []
    assert [*closing_lines(tmp_path, 1.5e9)] == [
        f"Made: {claims}",
        "The paper's claims: not measured 1.",
    ]
    claims.with_suffix(".json").unlink()
    assert [*closing_lines(tmp_path, 0)] == [f"Made: {claims}", f"Made: {figure}"]
    for number in range(9):
        write_text(tmp_path / f"figures/{number}.png", "")
    assert [*closing_lines(tmp_path, 0)][-1] == f"and 2 files more in {tmp_path}"
    write_text(tmp_path / "movielens/provenance.json", '{"source_used": "bundled"}')
    assert [*closing_lines(tmp_path, 0)][-1].startswith("MovieLens was not downloaded: bundled")
