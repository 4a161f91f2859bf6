"""What tests of notebooks look at: cells, and what they put out."""

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
