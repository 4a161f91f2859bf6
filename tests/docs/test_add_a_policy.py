"""The guide to a policy in the package: one new file, which every list of policies has."""

import subprocess
import sys
from pathlib import Path

from docs_pages import ROOT, files_of, write_files
from workflow_helpers import LIBRARY, Project, environment

PAGE, ID = "how-to/add-a-policy.md", "threshold_greedy"
FILE = f"{LIBRARY}/policies/{ID}.py"
LISTS = f"""
import build
from penalized_replication.figures.style import look_of
from penalized_replication.playground.scripts import translations
from penalized_bandits.policies import POLICIES
from penalized_bandits.theory.exploration import exploration_of

assert [*POLICIES][-1] == "{ID}"
assert len({{str(look_of(policy)) for policy in POLICIES}}) == len(POLICIES)
assert '"bound":"radius"' in translations()[0]["{ID}"]
assert exploration_of("{ID}").width(50.0, 1e4) == exploration_of([*POLICIES][0]).width(50.0, 1e4)
assert "::: penalized_bandits.policies.{ID}" in build.policy_files()
assert "`{ID}`" in build.policy_cards()
"""


def test_the_guide_adds_one_file_to_the_package() -> None:
    assert {path for path in files_of(PAGE) if path.startswith("src/")} == {FILE}


def test_every_list_has_the_new_policy(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    write_files(PAGE, project.folder)
    bound = 'from dataclasses import replace\nPOLICY = replace(POLICY, bound="radius")\n'
    project.append(FILE, bound)
    environ = environment(project.folder, project.kernels)
    environ["PYTHONPATH"] += f":{ROOT / 'docs'}"
    subprocess.run([sys.executable, "-c", LISTS], env=environ, check=True)
