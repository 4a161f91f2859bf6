"""Write Vega, Vega-Lite and Vega-Embed as one script, which pages with interactive charts hold.

Packed (deflate, base64) it is half as large; a page unpacks it when the first chart comes into
view.  After a new version of vl-convert:

    uv run --dev python tools/chart_bundle.py
"""

import zlib
from base64 import b64encode
from pathlib import Path

import vl_convert

FILE = Path(__file__).parents[1] / "src/replication/penalized_replication/pages/templates/vega.b64"


def script() -> str:
    """Return the script."""
    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")


if __name__ == "__main__":
    FILE.write_bytes(b64encode(zlib.compress(script().encode(), level=9)) + b"\n")
