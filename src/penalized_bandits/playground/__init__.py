"""The playground: the package's simulator and theory in one page that a browser plays."""

PRESENTED = (*(f"setting_{number}" for number in range(1, 5)), "deterministic", "sharp_short")
"""The experiments whose cases are bandits to begin with (`presets`)."""
