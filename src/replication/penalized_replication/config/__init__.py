"""The config: what it may say, and errors that name the key, the value and the remedy."""
