"""Errors of the ratings data: one class for each thing a user has to do about it."""

from penalized_bandits.common.errors import UserError


class DatasetError(UserError):
    """Base of all errors of this package's data sets."""


class DatasetConfigError(DatasetError):
    """An argument or a key of the configuration is missing or senseless."""


class NetworkUnreachableError(DatasetError):
    """No whole answer came: no name, no route, refused, timed out or cut off."""


class DownloadRefusedError(DatasetError):
    """The server answered, but not with the file, or its answer is not acceptable.

    ``status`` is that of the answer (HTTP), None if it is not the status that was refused.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class DownloadTooLargeError(DownloadRefusedError):
    """The answer is, or says it is, larger than the limit."""


class ChecksumError(DatasetError):
    """A file was received whole, but its MD5 is not the expected one."""


class CacheError(DatasetError):
    """The folder for downloads cannot be read or written."""


class ArchiveError(DatasetError):
    """An archive is missing, damaged, encrypted, too large or lacks a member."""


class RatingsFormatError(DatasetError):
    """A line or a row of ratings or titles is not what the layout says."""


class CountsFormatError(DatasetError):
    """A table of rating counts breaks its own rules."""


class CountsMismatchError(DatasetError):
    """Counts differ from the published or from the bundled ones."""


class BundledCountsTooFewError(DatasetError):
    """The bundled counts do not reach down to the asked number of ratings."""
