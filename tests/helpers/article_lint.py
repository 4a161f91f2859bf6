"""Digits that are typed into the text of the article, where only names and parameters may have one.

A reader of typst's markup, as far as ``workflow/article`` uses it.  In a sentence a digit may
stand in a name (Theorem 4.1, Figure 3, C07), in a formula, as a whole number, in a reference, or
in ``#given[…]``, which says that it is no result.  In code it may be a size, and within strings
only where the ledger is asked for a claim or a part, or a file is named.
"""

import re
from collections.abc import Iterator

ASKS = {
    *("verdict", "word", "measured", "value", "percent", "share", "shares", "span", "least"),
    *(
        "most",
        "count",
        "of-parts",
        "course",
        "claim-bound",
        "confirmation-word",
        "confirmed",
        "law",
        "row",
    ),
    *("drawn", "picture", "given", "rgb", "paper", "numbering"),
}
"""Calls whose strings, and in ``given`` text, may have digits: names of parts, files, colours."""
_NUMBER = r"\d+(?:\.\d+)?[a-d]?"
NAMES = re.compile(
    rf"(?:Theorems?|Lemma|Observations?|Sections?|Settings?|Figures?|Table|Algorithm|case|eq\.)"
    rf"[\s~]+{_NUMBER}(?:(?:, | and | to | [a-d] and [a-d], )*{_NUMBER})*(?: [a-d]\b)?"
    r"|\b[CES]\d\d[A-Z]?\b|UCB1|MovieLens 1M|\bA2\b"
)
_WORD = re.compile(r"[A-Za-z_][\w-]*")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def typed_digits(text: str) -> list[str]:
    """Return the places of a typst text at which a digit is typed that is not allowed to be."""
    text = re.sub(r"(?<!:)//.*", "", text)
    return [piece.strip() for piece in _Reader(text).markup("") if re.search(r"\d", piece)]


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def markup(self, end: str, free: bool = False) -> Iterator[str]:
        """Yield the sentences up to a bracket, names and parameters left out."""
        plain = ""
        while self.at < len(self.text) and self.text[self.at] != end:
            sign = self.text[self.at]
            if sign == "#":
                self.at += 1
                plain += "¤"
                yield from self.code(free)
            elif sign == "$":
                plain += "¤"
                yield from self.formula(free)
            elif sign == "`":
                self.at, plain = self.text.index("`", self.at + 1) + 1, plain + "¤"
            elif sign in "<@" and (found := re.compile(r"[<@][\w-]+>?").match(self.text, self.at)):
                self.at, plain = found.end(), plain + "¤"
            elif sign == "[":
                self.at += 1
                yield from self.markup("]", free)
            else:
                plain, self.at = plain + sign, self.at + 1
        self.at += len(end)
        if not free:
            yield from re.split(r"(?<=[.:])\s", NAMES.sub("", plain))

    def formula(self, free: bool) -> list[str]:
        """Return the decimal numbers of a formula: whole ones are constants of a theorem."""
        begin, self.at = self.at, self.text.index("$", self.at + 1) + 1
        return [] if free else re.findall(r"\d+\.\d+", self.text[begin : self.at])

    def code(self, free: bool) -> Iterator[str]:
        """Yield what is typed in a call, or in a statement to the end of its line."""
        word = _WORD.match(self.text, self.at)
        name = word[0] if word else ""
        self.at += len(name)
        statement, called = name in {"let", "set", "show", "import", "include", "if", "for"}, name
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign in _CLOSING:
                self.at += 1
                yield from self.inside(sign, called, free)
            elif sign == "." and not statement and _WORD.match(self.text, self.at + 1):
                self.at = self.at + 1 + len(_WORD.match(self.text, self.at + 1)[0])  # type: ignore[index]
            elif not statement or sign in "\n)]}":
                return
            elif word := _WORD.match(self.text, self.at):
                called, self.at = word[0], word.end()
            elif sign == '"':
                yield from self.string(called, free)
            elif sign == "$":
                yield from self.formula(free)
            else:
                self.at += 1

    def inside(self, opening: str, name: str, free: bool) -> Iterator[str]:
        """Yield what is typed between brackets: content, or arguments with their own calls."""
        if opening == "[":
            yield from self.markup("]", free or name == "given")
            return
        called = name
        while self.at < len(self.text) and self.text[self.at] != _CLOSING[opening]:
            sign = self.text[self.at]
            word = _WORD.match(self.text, self.at)
            if word:
                called, self.at = word[0], word.end()
            elif sign in _CLOSING:
                self.at += 1
                yield from self.inside(sign, called if sign != "{" else "", free)
                called = name
            elif sign == '"':
                yield from self.string(name if name in ASKS else called, free)
            elif sign == "$":
                yield from self.formula(free)
            else:
                self.at += 1
        self.at += 1

    def string(self, name: str, free: bool) -> Iterator[str]:
        close = self.text.index('"', self.at + 1)
        if name not in ASKS and not free:
            yield NAMES.sub("", self.text[self.at + 1 : close])
        self.at = close + 1
