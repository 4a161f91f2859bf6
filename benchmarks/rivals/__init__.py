"""What a user would otherwise take: other packages, and loops written by hand.

Each module plays UCB1 (``naive_numba`` the hard-threshold rule) on an instance and
returns the pulls of each arm.
"""
