"""Errors that name what is at fault and what would be right."""


class UserError(Exception):
    """An error whose message is all that a user needs: no traceback is shown."""


class BanditError(UserError, ValueError):
    """An instance, policy, tuning or simulation request that makes no sense."""


class ConfigError(UserError, ValueError):
    """The config says something that it may not; the message lists all of it."""


class ReplicatesError(UserError, ValueError):
    """A table of replicates that is cut short, of the wrong form, or of another run."""


class SummaryError(UserError, ValueError):
    """A summary table that is not what it should be."""


class ClaimError(UserError, ValueError):
    """A claim that is not known, or whose evidence is missing."""


class NotMeasuredError(BanditError, ClaimError):
    """What a config leaves too little for: a policy is not run, replicates or horizons are few.

    The claim that asked is not measured; all others are.
    """


class PlainPythonWarning(UserWarning):
    """A policy runs in plain Python, hundreds of times slower than a compiled one."""


class WriteError(UserError, OSError):
    """A file that could not be written: the disk is full, or not writable."""


class OriginError(UserError, ValueError):
    """A result that is not what was written, or not of this config and code."""


class PageError(UserError, ValueError):
    """Material that no page can be made from."""


class RunError(UserError, RuntimeError):
    """A run that may not begin: another is at work in the folder."""
