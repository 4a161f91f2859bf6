"""Errors that name what is at fault and what would be right."""


class BanditError(ValueError):
    """An instance, policy, tuning or simulation request that makes no sense."""
