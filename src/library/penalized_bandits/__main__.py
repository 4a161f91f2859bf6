"""The command line: ``penalized-bandits``, or ``python -m penalized_bandits``."""

import sys


def install_with(extra: str) -> str:
    """Return the command that installs an extra, from where the package was installed from."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin = json.loads(distribution("penalized-bandits").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        origin = {}
    if "dir_info" not in origin:
        return f"pip install 'penalized-bandits[{extra}]'"
    folder = url2pathname(urlsplit(origin["url"]).path)
    return f"pip install '{folder}[{extra}]'"


def main() -> None:
    """Run the command line, which the simulator alone is installed without."""
    try:
        from penalized_bandits.cli import main as run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("penalized_bandits"):
            raise
        sys.exit(f"penalized-bandits: the command line needs {error.name!r}: {install_with('cli')}")
    run()


if __name__ == "__main__":
    main()
