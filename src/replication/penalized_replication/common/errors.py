"""Errors of the replication that name what is at fault and what would be right."""

from penalized_bandits.common.errors import UserError


class ConfigError(UserError, ValueError):
    """The config says something that it may not; the message lists all of it."""


class ResultsError(UserError, ValueError):
    """A file of results that is cut short, of the wrong form, or of another run."""


class ClaimError(UserError, ValueError):
    """A claim that is not known, or whose evidence is missing."""


class NotMeasuredError(ClaimError):
    """The config provides too little data, such as few horizons: one claim is not measured."""


class DatasetError(UserError, ValueError):
    """Ratings that cannot be obtained or read; the message names file, line or key."""


class RunError(UserError, RuntimeError):
    """A run whose code, config or ratings changed while it was at work."""
