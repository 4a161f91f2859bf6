"""The article: results by claim and comparison, and typesetting by typst.

The text is in ``research/article``, in typst, and has no number of a result in it: it looks each
up by the claim and the fields of the comparison (``ledger.typ`` there) among the values that
`gather` reads from ``results``.  A result that was not measured is shown as such; a sentence on a
claim that does not exist is left out.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from penalized_bandits.common.errors import UserError
from penalized_bandits.common.files import digest_of, write_text
from penalized_bandits.common.numbers import estimate, format_number, percent
from penalized_bandits.policies import POLICIES
from penalized_replication.claims.comparisons import Comparison
from penalized_replication.claims.results import ClaimResult, read_results, warning
from penalized_replication.claims.table.preregistration import confirmed, in_short
from penalized_replication.claims.table.render import bound_text, measured_text
from penalized_replication.claims.table.tables import groups, tally
from penalized_replication.figures.overtaking import is_drawn
from penalized_replication.pages.material import FIRST
from penalized_replication.pages.render import begun, scripts
from penalized_replication.storage.files import read_json
from penalized_replication.storage.tables import read_table
from penalized_research import DRAWN
from penalized_research.comparison import comparison_rows
from penalized_research.measures.comparison import UNIT_REWARDS

_SCRIPTED = re.compile(
    r"\$([_^][^$]+)\$|(?<![\w.])([A-Za-zΑ-Ωα-ω]|max)_(\([^()]*\)|\w+)(?!\w)|\^(\([^()]*\)|−?\w+)"
)
_PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\((?!http)[^)]*\)")
_LABEL = re.compile(r"^<[\w-]+>\n", re.MULTILINE)

RATIOS = ("ratios", "of_constant")
"""Facts of a claim by law: regret over the hard threshold's, its policy's and of the constant."""
Sources = Mapping[str, Any]
"""Files that the article is made of, by the names of the rule's inputs.

The claims ``extended`` and ``sharp``, and ``comparison``, the table of all policies, are
published ones.  ``figures`` are pictures, SVG or PNG, each with its caption beside it;
``texts`` the typst files, and ``metadata.yaml``; ``proofs`` the pages of the theory.
"""


def gather(sources: Sources) -> dict[str, Any]:
    """Return all values that the text may look up, formatted."""
    paper = read_results(sources["claims"])
    extended = {name: sources[name] for name in ("extended", "sharp")}
    names = ("interpretations", "seeds", "design")
    alternatives, seeds, design = (read_table(sources[name]) for name in names)
    marks = {"claims": sources["claims"], **extended}
    counts = "{hold} / {fail} / {undecided}"
    labels: dict[str, list[str]] = {}
    for policy in POLICIES.values():
        source = policy.card.reference.removesuffix("; threshold of eq. (11)")
        labels.setdefault(source, []).append(policy.card.label)
    return {
        "claims": {r.id: values_of(r) for r in (*paper, *read_results(*extended.values()))},
        "tallies": [[title, tally(results)] for title, results in groups(paper)],
        "changed": {"rules": sum(bool(r.path) for r in paper), "claims": len(paper)},
        "warning": warning(paper[0].config),
        "marks": {name: _made(path, name) for name, path in marks.items()},
        "first": _made(sources["first"], FIRST),
        "figures": {Path(path).stem: _figure(path) for path in sources["figures"]},
        "policies": comparison_rows(read_table(sources["comparison"])),
        "references": ". ".join(f"{source}: {', '.join(x)}" for source, x in labels.items()),
        "confirmation": {
            name: {"verdict": in_short(name), "comparisons": counts.format(**row)}
            for name, row in confirmed().items()
        },
        "interpretations": {
            "pairs": format_number(len(alternatives)),
            "interpretations": format_number(alternatives["scenario"].nunique()),
            "changed": sorted({*alternatives["id"][alternatives["changed"]]}),
        },
        "seeds": {
            "claims": format_number(seeds["id"].nunique()),
            "stable": format_number((~seeds.groupby("id")["changed"].any()).sum()),
            "same": format_number((seeds.groupby("id")["estimate"].nunique() <= 1).sum()),
            "seeds": format_number(1 + seeds["scenario"].nunique()),
        },
        "design": {
            name: {row.id: percent(row.effect) for row in rows.itertuples()}
            for name, rows in design.groupby("scenario")
        },
        "ratings": read_json(sources["ratings"]),
        "citation": yaml.safe_load(Path(sources["citation"]).read_text(encoding="utf-8")),
    }


def values_of(result: ClaimResult) -> dict[str, Any]:
    """Return a claim as the text looks it up."""
    return {
        "where": markup(result.where),
        "statement": markup(result.statement),
        "verdict": result.verdict,
        "quantity": result.quantity,
        "measured": measured_text(result),
        "bound": bound_text(result),
        "ratios": _ratios(result.facts),
        "comparisons": [_compared(comparison) for comparison in result.comparisons],
    }


def _ratios(facts: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the least and the largest of the claim's `RATIOS` with rewards in [0, 1], if known."""
    known = RATIOS if "of_constant" in facts else ()
    spans = {name: facts[name].get(UNIT_REWARDS, ()) for name in known}
    return {n: [percent(x).replace(" ", "\u00a0") for x in span] for n, span in spans.items()}


def _compared(comparison: Comparison) -> dict[str, Any]:
    about = ("quantity", "case", "policy", "rival", "arm", "status")
    numbers = ("measured", "predicted", "asymptote")
    return {
        **{name: getattr(comparison, name) for name in about},
        "text": estimate(comparison.estimate, comparison.low, comparison.high),
        "value": _number(comparison.estimate),
        "share": _number(comparison.effect),
        "drawn": is_drawn(comparison.case),
        "values": {
            name: _number(x) for name, x in comparison.values.items() if isinstance(x, float)
        },
        "T": format_number(comparison.horizon or comparison.values.get("last")),
        **{name: format_number(getattr(comparison, name)) for name in numbers},
    }


def _number(value: float) -> dict[str, Any] | None:
    """Return a number as the text shows it, with three digits and in per cent; None if unknown."""
    if not math.isfinite(value):
        return None
    short = format_number(float(f"{value:.3g}"))
    return {"is": value, "short": short, "percent": percent(value).replace(" ", "\u00a0")}


def _made(path: str, target: str) -> dict[str, Any]:
    """Return the command that remakes a file, and the first digits of its checksum."""
    return {"target": target, "mark": digest_of(path)[:8]}


def _figure(path: str) -> dict[str, str]:
    title, rest = begun(Path(path).with_suffix(".md"))
    stem, name = Path(path).stem, Path(path).name
    made = _made(path, stem if stem in DRAWN else "sharp")
    return {"file": name, "alt": title, "title": markup(title), "caption": markup(rest), **made}


def typeset(values: Mapping[str, Any], sources: Sources) -> bytes:
    """Return the article as PDF, in typst's own fonts: the same bytes from the same files."""
    try:
        import typst
    except ModuleNotFoundError:
        command = "uv run --extra article snakemake -s research/Snakefile --cores all article"
        with_pip = "pip install typst pypandoc-binary"
        message = f"the article is typeset by typst: {command}, or {with_pip}"
        raise UserError(message) from None
    with placed(values, sources) as main:
        return typst.compile(main, format="pdf", ignore_system_fonts=True)


@contextmanager
def placed(values: Mapping[str, Any], sources: Sources) -> Iterator[Path]:
    """Yield the text that typst typesets, in a folder with all that it reads."""
    with TemporaryDirectory() as folder:
        for path in (*sources["texts"], *sources["figures"], sources["first"]):
            copy(path, folder)
        write_text(Path(folder, "proofs.typ"), proofs(sources["proofs"]))
        looked_up = json.dumps(values, ensure_ascii=False, sort_keys=True)
        Path(folder, "values.json").write_text(looked_up, encoding="utf-8")
        yield Path(folder, "article.typ")


def proofs(pages: Iterable[Path | str]) -> str:
    """Return pages, Markdown with TeX's formulas, as typst: headings from the second level on.

    Pictures and links within the documentation go; the text of links stays.
    """
    import pypandoc

    text = "\n\n".join(Path(page).read_text(encoding="utf-8") for page in pages)
    text = _LINK.sub(r"\1", _PICTURE.sub("", text))
    markdown = "markdown+tex_math_dollars+pipe_tables-citations-auto_identifiers"
    # Ids of headings repeat from page to page; nothing refers to them.
    options = ["--quiet", "--shift-heading-level-by=1", "--wrap=none"]
    source = pypandoc.convert_text(text, "typst", format=markdown, extra_args=options)
    # pandoc has an older name of this symbol than typst.
    return re.sub(r"\bsect\b", "inter", _LABEL.sub("", source))


def markup(text: str) -> str:
    """Return a caption or a statement as typst markup: escaped, sub- and superscripts set.

    Quotation marks become those of print; the marks of code go.

    >>> markup("τ$_k$ and A_k, **not** #code")
    '#{"τ"}#sub[#{"k"}]#{" and A"}#sub[#{"k"}]#{", "}*#{"not"}*#{" #code"}'
    >>> markup("T^−b")
    '#{"T"}#super[#{"−b"}]'
    """
    text = re.sub('"([^"]*)"', r"“\1”", text).replace("`", "")
    bold = re.split(r"\*\*(.+?)\*\*", text)
    return "".join(f"*{_scripted(t)}*" if i % 2 else _scripted(t) for i, t in enumerate(bold))


def _scripted(text: str) -> str:
    source, end = "", 0
    for match in _SCRIPTED.finditer(text):
        source += _plain(text[end : match.start()] + (match[2] or ""))
        own = [("sub", match[3])] if match[3] else [("sup", match[4])]
        for tag, piece in scripts(match[1]) if match[1] else own:
            function = {"sub": "#sub", "sup": "#super"}.get(tag)
            source += f"{function}[{_plain(piece)}]" if function else _plain(piece)
        end = match.end()
    return source + _plain(text[end:])


def _plain(text: str) -> str:
    """Return text as a typst string, in which nothing is markup."""
    text = re.sub(r"\\([^A-Za-z0-9\s])", r"\1", text)
    return f"#{{{json.dumps(text, ensure_ascii=False)}}}" if text else ""
