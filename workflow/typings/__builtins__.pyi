# Snakemake puts this name into every script that it runs.
from typing import Any

snakemake: Any
