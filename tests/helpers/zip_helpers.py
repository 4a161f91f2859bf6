"""Zip archives put together byte by byte, with headers that may lie."""

import struct
import zlib
from typing import NamedTuple


class Member(NamedTuple):
    """A member of an archive: what stands in it, and what is declared."""

    name: bytes
    packed: bytes
    size: int
    crc: int = 0


def member_of(name: str, content: bytes) -> Member:
    return Member(name.encode(), endless(content, 1), len(content), zlib.crc32(content))


def endless(pattern: bytes, repeats: int) -> bytes:
    """Return a deflate stream of a pattern many times over, made without making that."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(pattern) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * repeats + packer.flush()


def local(member: Member) -> bytes:
    """Return what stands in an archive of a member: its header, and its content."""
    return struct.pack(
        "<4s2B4HL2L2H", b"PK\x03\x04", 45, 0, 0, 8, 0, 33, member.crc, len(member.packed),
        min(member.size, 0xFFFFFFFF), len(member.name), 0,
    ) + member.name + member.packed  # fmt: skip


def listed(member: Member, offset: int, extra: bytes = b"") -> bytes:
    """Return an entry of an archive's list of members, deflated."""
    if member.size >= 0xFFFFFFFF:
        extra = struct.pack("<2HQ", 1, 8, member.size)
    return struct.pack(
        "<4s4B4HL2L5H2L", b"PK\x01\x02", 45, 3, 45, 0, 0, 8, 0, 33, member.crc,
        len(member.packed), min(member.size, 0xFFFFFFFF), len(member.name), len(extra),
        0, 0, 0, 0, offset,
    ) + member.name + extra  # fmt: skip


def end_of(members: int, size: int, offset: int) -> bytes:
    """Return the end of an archive: the number of members, and where their list is."""
    return struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, members, members, size, offset, 0)


def zip_of(*members: Member) -> bytes:
    """Put an archive together from members that may lie."""
    body, entries = b"", b""
    for member in members:
        entries += listed(member, len(body))
        body += local(member)
    return body + entries + end_of(len(members), len(entries), len(body))
