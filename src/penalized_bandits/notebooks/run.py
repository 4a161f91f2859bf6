"""Run a notebook through papermill, in a kernel of the environment that runs this.

The kernel is not looked up by name: another Python's may be installed under the same one, or
none at all.  Its settings, history and connection live in a folder of their own, so that no
user's profile has a say and nothing of the run is left behind.
"""

import logging
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from papermill.exceptions import PapermillExecutionError
from papermill.execute import execute_notebook

from penalized_bandits.common.errors import UserError

INJECTED = "injected-parameters"
"""Papermill's tag of the cell that it adds."""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_TIMES = ("papermill", "execution")


class NotebookError(UserError, RuntimeError):
    """A cell of a notebook failed; the message says which, and how."""


@contextmanager
def _own_kernel() -> Iterator[type[AsyncKernelManager]]:
    """Make a kernel manager that starts this Python, whatever the kernel's name."""
    with tempfile.TemporaryDirectory(prefix="kernel-") as folder:
        launch = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        # Being told to stop is no error.
        launch.append("--IPKernelApp.log_level=CRITICAL")
        # The debugger's warnings on frozen modules are not the reader's concern.
        settings = {"IPYTHONDIR": folder, "PYDEVD_DISABLE_FILE_VALIDATION": "1"}

        class Specs(KernelSpecManager):
            def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
                return KernelSpec(
                    argv=launch, display_name=kernel_name, language="python", env=settings
                )

        class Manager(AsyncKernelManager):
            def __init__(self, **traits: Any) -> None:
                # Sockets in a private folder where there are such: nobody else can read them.
                transport = "tcp" if os.name == "nt" else "ipc"
                files = {"connection_file": str(Path(folder) / "kernel.json")}
                own = {"kernel_spec_manager": Specs(), "transport": transport, **files}
                super().__init__(**{**traits, **own})

        yield Manager


def run_notebook(
    path: Path | str, parameters: Mapping[str, Any], log: logging.Logger
) -> NotebookNode:
    """Run a notebook from its first cell to its last, in the current folder.

    ``parameters`` are values for the names in its cell with the tag ``parameters``.  Returns the
    notebook with its outputs, without times and paths of this run.  Raises NotebookError if a cell
    fails, whose traceback is in the log, or the kernel dies.
    """
    progress = logging.getLogger("papermill")
    progress.setLevel(logging.INFO)
    progress.handlers = log.handlers
    try:
        with _own_kernel() as manager:
            notebook = execute_notebook(
                path,
                None,
                dict(parameters),
                progress_bar=False,
                log_output=True,
                kernel_manager_class=manager,
            )
    except PapermillExecutionError as error:
        log.info("%s", _COLOUR.sub("", "\n".join(error.traceback)))
        raise NotebookError(f"{path}, {_complaint(path, error)}") from None
    except DeadKernelError:
        raise NotebookError(f"{path}: its kernel died, perhaps out of memory") from None
    return _without_times(notebook)


def _complaint(path: Path | str, error: PapermillExecutionError) -> str:
    """Say which cell failed and how, in one line."""
    # Counted in the file that the reader has, not in papermill's copy, which has one more.
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    if error.source in sources:
        begin = error.source.strip().splitlines()[0]
        cell = f"cell {sources.index(error.source) + 1} of {len(sources)} ({begin})"
    else:
        cell = "the cell of parameters that the workflow adds"
    return f"{cell}: {error.ename}: {_COLOUR.sub('', error.evalue)}"


def _without_times(notebook: NotebookNode) -> NotebookNode:
    """Drop what would make every run of a notebook differ from the last."""
    for holder in (notebook, *notebook.cells):
        for key in _TIMES:
            holder.metadata.pop(key, None)
    for cell in notebook.cells:
        # Papermill makes up a name for the cell that it adds.
        if INJECTED in cell.metadata.get("tags", []):
            cell["id"] = INJECTED
    return notebook
