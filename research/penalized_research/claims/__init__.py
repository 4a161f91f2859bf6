"""The claims, by what they are on."""
