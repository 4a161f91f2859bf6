"""Statistics of single claims: growth laws, paths, crossings."""
