"""Snakemake's report of a run."""

import json
import re
from pathlib import Path

import pytest

from penalized_replication.figures import EVERY_FIGURE
from programs import printed_by
from smoke_run import files_with
from workflow_helpers import Project, environment

OFFLINE = """
import sys
from snakemake.cli import main
sys.addaudithook(lambda event, _: 1 / (event not in ("socket.connect", "socket.getaddrinfo")))
main()
"""


@pytest.mark.slow
def test_report_has_the_figures_and_needs_no_network(smoke_run: Project, tmp_path: Path) -> None:
    project = smoke_run.copy(tmp_path / "run")
    how = {"cwd": project.folder, "env": environment(project.folder, project.kernels)}
    options = ["--report", "report.html", "--configfile", "tiny.yaml"]
    printed_by(OFFLINE, *options, **how)
    page = (project.folder / "report.html").read_text(encoding="utf-8")
    assert not re.search('(src|href)="(http|//)', page)
    assert "<p>A replication of Fang, Li and Samorodnitsky" in page
    results = json.loads(re.findall(r"(?s)var results = ({.*?});?\s*</script>", page)[0])
    for name in files_with({}).figures():
        shown = results[f"results/figures/{name}.png"]
        assert shown["labels"] == EVERY_FIGURE[name].labels
        assert shown["data_uri"].startswith("data:image/png;")
        assert shown["caption"].startswith("<p><strong>")
