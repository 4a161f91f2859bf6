"""The style of the pages that notebooks become."""

from pathlib import Path

STYLE = Path(__file__).with_name("page.css")
