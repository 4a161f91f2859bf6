"""The claims of our own on the extended experiments, as ``claims/paper/`` holds the paper's."""

from penalized_bandits.claims import claims_in

EXTENDED_CLAIMS = claims_in("extended")
