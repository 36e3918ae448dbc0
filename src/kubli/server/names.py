"""What people may call themselves and say: text as others can read it, shown as text only."""

import unicodedata

import regex  # type: ignore[import-untyped]

from kubli.server.errors import Problem

__all__ = ["NAME", "name", "talk"]

NAME = 32
"""The most characters of a name, as people count them (grapheme clusters)."""

POINTS = 8  # code points for each of them on average, at most: enough for any script

# Control, format and direction characters, lone halves, private ones; what is made not to be seen, such as fillers.
# The emoji selector is let through. Nor towers of accents.
FORBIDDEN = regex.compile(
    r"[\p{C}\p{Zl}\p{Zp}]|(?!\N{VARIATION SELECTOR-16})\p{Default_Ignorable_Code_Point}|[\p{Mn}\p{Me}]{6}"
)
# Joiners where they are seen: in an emoji of several, after a virama, between Arabic letters.
JOINERS = regex.compile(
    r"(?<=\p{Extended_Pictographic}[\N{VARIATION SELECTOR-16}\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic})"
    r"|(?<=\p{ccc=9})[\u200C\u200D](?=\p{L})|(?<=\p{Arabic})\u200C(?=\p{Arabic})"
)
SEEN = regex.compile(r"(?!\N{BRAILLE PATTERN BLANK})[\p{L}\p{N}\p{P}\p{S}]")
SPACES = regex.compile(r"\s+")


def name(text: str) -> str:
    """A name as it is kept: NFC, trimmed, spaces single.

    Raises:
        Problem: 422; it is empty, too long, or has characters that others could not see.
    """
    return _plain(text, NAME, "name")


def talk(text: str, most: int) -> str:
    """What is said, as it is kept.

    Raises:
        Problem: 422; it is empty, longer than `most` characters, or has some that others could not see.
    """
    return _plain(text, most, "talk")


def _plain(text: str, most: int, what: str) -> str:
    if len(text) > most * POINTS * 2:
        raise Problem(422, f"{what}_too_long", limit=most)
    kept = str(SPACES.sub(" ", unicodedata.normalize("NFC", text))).strip()
    if not kept:
        raise Problem(422, EMPTY[what], limit=most)
    if FORBIDDEN.search(JOINERS.sub("", kept)) or not SEEN.search(kept):
        raise Problem(422, f"{what}_bad", limit=most)
    if len(kept) > most * POINTS or len(regex.findall(r"\X", kept)) > most:
        raise Problem(422, f"{what}_too_long", limit=most)
    return kept


EMPTY = {"name": "name_missing", "talk": "talk_empty"}
