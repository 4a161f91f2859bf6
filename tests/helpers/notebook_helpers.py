"""What tests of notebooks look at: cells, what they put out, and what a page loads."""

from html.parser import HTMLParser

from nbformat import NotebookNode


def code_of(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def said(notebook: NotebookNode, cell: str) -> str:
    """Return what a cell put out last, as text."""
    (found,) = (c for c in notebook.cells if c.id == cell)
    data = found.outputs[-1].data
    return data.get("text/markdown", data["text/plain"])


def pictures(notebook: NotebookNode) -> list[NotebookNode]:
    outputs = (output for cell in code_of(notebook) for output in cell.outputs)
    return [output for output in outputs if "image/png" in output.get("data", {})]


class Loads(HTMLParser):
    """Everything in a page that a browser would load or follow."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.alts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        values = {name: value or "" for name, value in attrs}
        self.loaded += [values[key] for key in ("src", "srcset", "data", "poster") if key in values]
        if "href" in values:
            (self.links if tag == "a" else self.loaded).append(values["href"])
        if tag == "img":
            self.alts.append(values.get("alt", ""))
