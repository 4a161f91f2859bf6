"""The digest of a text."""

import hashlib


def digest(content: str | bytes, digits: int | None = None) -> str:
    """Return the SHA-256 of a text in hexadecimal digits, all 64 or the first few."""
    data = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()[:digits]
