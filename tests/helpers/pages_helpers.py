"""The page of the smoke run, and pages with changed inputs."""

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import replace
from html.parser import HTMLParser
from operator import itemgetter
from pathlib import Path
from typing import Any

from config_helpers import FILE, load_config
from penalized_replication.claims import CLAIMS
from penalized_replication.config.model import changes as changes_of
from penalized_replication.config.model import read_papers
from penalized_replication.config.scenarios import Scenarios
from penalized_replication.pages.index import build_page
from penalized_replication.pages.material import DOCS, PUBLISHED, Material
from penalized_replication.playground import LIVE
from penalized_replication.workflow.code import Code
from smoke_run import EXPERIMENTS, FILES, PAPERS, values_with
from workflow_helpers import Project

PAGE = "results/index.html"
LISTED = sorted(PAPERS, key=lambda name: CLAIMS[name].ours)
"""The claims as the page lists them: the paper's, then our own questions."""
OPEN_DETAILS = "for (const one of document.querySelectorAll('details')) one.open = true"
ALL_THERE = """() =>
  [...document.querySelectorAll("[data-packed]")].every((image) => image.src && image.complete)
  && !document.querySelector("details[open][data-claim] > p.hint")"""
"""Whether all drawings, and the details that are open, are unpacked."""
ROWS = "table.ledger > tbody"
INJECTION = "</script><img src=x onerror=window.hacked=1><!-- \"&' {{7*7}}"
"""A title that would break out of a script, an attribute, a comment or a template."""


def material_of(project: Project) -> Material:
    code = Code(Scenarios(values_with({})), Path("workflow").resolve())
    plugins = {"claims": CLAIMS, "experiments": EXPERIMENTS, "policies": LIVE}
    code.plugins["write_index"] = {kind: itemgetter(kind) for kind in plugins}
    return Material(
        page=PAGE,
        claims="results/claims/claims.json",
        verdicts="docs/published/interpretations.csv",
        counts="results/movielens/rating_counts.csv",
        ratings="results/movielens/provenance.json",
        results=FILES.shown(),
        published=PUBLISHED,
        code=code.hash_of("write_index")(plugins).removeprefix("code "),
        notebooks={},
        playground="results/playground.html",
        docs={title: path for title, path in DOCS.items() if Path(path).is_file()},
    )


def page_of(
    project: Project, papers: Path = FILE, lacking: Sequence[str] = (), **changes: Any
) -> str:
    with chdir(project.folder):
        config = load_config("config/config.yaml", "tiny.yaml")
        material = replace(material_of(project), **changes)
        published, names = read_papers(papers), [e for e in config.experiments if e not in lacking]
        origin = {
            "seed": config.seed,
            "interpretations": config.interpretations.model_dump(),
            "sections": {name: config.section(name).model_dump(mode="json") for name in names},
            "changes": changes_of(config, published),
            "papers": {name: published[name]["replicates"] for name in EXPERIMENTS},
        }
        return build_page(material, origin, str(config.pages.address))


def unpacked(text: str) -> str:
    """Return a page with its packed parts in their places; drawings and scripts are left out."""

    def part(packed: re.Match[str]) -> str:
        name, data = packed.groups()
        if name != "claims":
            return ""
        return "".join(json.loads(zlib.decompress(b64decode(data))).values())

    return re.sub(r'<script type="text/plain" id="packed-([\w-]+)">(.*?)</script>', part, text)


VOID = {"meta", "link", "input", "img", "br", "hr"}


class Reader(HTMLParser):
    """Elements of a page with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.comments: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & {*self.open}:
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())
