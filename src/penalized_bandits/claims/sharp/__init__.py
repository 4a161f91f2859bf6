"""The claims on the sharp constants, as ``claims/paper/`` holds the paper's."""

from penalized_bandits.claims import claims_in

SHARP_CLAIMS = claims_in("sharp")
