"""What documents show of the library: README's snippet, the notebook and the picture."""

import re

import pytest
from PIL import Image

import page_as_notebook
from docs_pages import ROOT, blocks


def test_notebook_is_that_of_the_page() -> None:
    assert page_as_notebook.NOTEBOOK.read_text(encoding="utf-8") == page_as_notebook.notebook()


def test_readme_shows_what_its_snippet_prints(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code, shown = re.findall(r"(?ms)^```python\n(.*?)^```\n\n```text\n(.*?)^```$", text)[0]
    exec(compile(code, "README.md", "exec"), {})
    said = capsys.readouterr().out
    assert [line.rstrip() for line in said.splitlines()] == shown.splitlines()


def test_an_own_policy_takes_fewer_than_ten_lines() -> None:
    first = next(block for block in blocks("library/ten-minutes.md") if block.language == "python")
    assert "hard_threshold_ucb" in first.text
    assert len([line for line in first.text.splitlines() if line]) < 10


def test_the_picture_has_the_width_of_a_column() -> None:
    with Image.open(page_as_notebook.PICTURE) as picture:
        assert picture.width == pytest.approx(3.5 * 200, abs=1)
