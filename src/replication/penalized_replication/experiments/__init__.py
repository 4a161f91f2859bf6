"""Every experiment: cases, and in each case runs to simulate."""
