"""Theorems that the paper does not have."""
