"""Statistics of measurements: estimates with intervals, growth laws, paths, crossings."""
