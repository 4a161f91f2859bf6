"""The experiments: all policies compared, long runs, the constants of the theory."""
