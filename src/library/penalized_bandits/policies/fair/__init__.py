"""Policies of the literature that know floors, or a concave reward of the shares."""
