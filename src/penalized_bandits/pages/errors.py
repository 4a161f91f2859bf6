"""Errors of the page."""

from penalized_bandits.errors import UserError


class PageError(UserError, ValueError):
    """Material that no page can be made from."""
