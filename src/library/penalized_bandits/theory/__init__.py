"""The theory's bounds, conditions and predictions as numbers."""
