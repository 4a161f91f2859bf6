"""What notebooks have in common, for one import: numpy, pandas, pyplot, the tools of pictures."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import Markdown

from penalized_bandits import POLICIES
from penalized_bandits.engine.oracle import trace
from penalized_bandits.engine.streams import Stream
from penalized_bandits.statistics.summaries import mean_and_interval
from penalized_replication.figures.style import FRONTIER_COLOUR, LEVEL_COLOUR, look_of, tidy
from penalized_replication.notebooks.picture import WIDTH, picture, use_screen_style
from penalized_replication.notebooks.tables import replicate_tables, results_folder
from penalized_replication.storage.files import read_json
from penalized_replication.storage.replicates import read_metadata, read_replicates
from penalized_replication.storage.summaries import read_summary

__all__ = [
    "FRONTIER_COLOUR",
    "LEVEL_COLOUR",
    "POLICIES",
    "WIDTH",
    "Markdown",
    "Stream",
    "look_of",
    "mean_and_interval",
    "np",
    "pd",
    "picture",
    "plt",
    "read_json",
    "read_metadata",
    "read_replicates",
    "read_summary",
    "replicate_tables",
    "results_folder",
    "tidy",
    "trace",
    "use_screen_style",
]
