"""Identifiers of publications, and whether they can exist: DOI, arXiv, ISBN, ISSN, PMID, ORCID.

Forms and check digits: the DOI Handbook, https://info.arxiv.org/help/arxiv_identifier.html, ISO 2108 (ISBN), ISO 3297
(ISSN), ISO 7064 (ORCID).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MAX_TEXT = 200_000  # characters
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\"<>{}|\\^`]{1,200}")
_ARXIV = re.compile(r"(?:(\d{2})(\d{2})\.(\d{4,5})|[a-z-]+(?:\.[A-Z]{2})?/(\d{2})(\d{2})(\d{3}))(?:v\d+)?")


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier in a text. `fault` is the reason why it cannot exist; `url` is its address, if it has one."""

    scheme: str
    text: str
    fault: str = ""
    url: str = ""


def identifiers_in(text: str) -> Iterator[Identifier]:
    """The identifiers in a text that have a label (`doi:`, `ISBN`, a doi.org link), in no particular order."""
    text = text[:MAX_TEXT]
    for scheme, label, read in _SCHEMES:
        for match in label.finditer(text):
            yield read(scheme, match[1].rstrip(".,;:)]'\u201d"))


def _doi(scheme: str, given: str) -> Identifier:
    if not _DOI.fullmatch(given):
        return Identifier(scheme, given, "a DOI is `10.`, four to nine digits, a slash and a name")
    return Identifier(scheme, given, url=f"https://doi.org/{given}")


def _arxiv(scheme: str, given: str) -> Identifier:
    form = _ARXIV.fullmatch(given.removesuffix(".pdf"))
    if not form:
        return Identifier(scheme, given, "an arXiv identifier is `YYMM.NNNNN`")
    year, month, number = form[1] or form[4], form[2] or form[5], form[3] or ""
    if not 1 <= int(month) <= 12:
        return Identifier(scheme, given, f"it names month {month}")
    if form[1] and len(number) != (5 if int(year) >= 15 else 4):
        return Identifier(scheme, given, "its number has five digits since 2015, and four before")
    return Identifier(scheme, given, url=f"https://arxiv.org/abs/{given.removesuffix('.pdf')}")


def _isbn(scheme: str, given: str) -> Identifier:
    digits = re.sub(r"[\s-]", "", given).upper()
    if len(digits) == 10 and digits[:9].isdecimal() and digits[9:] in "0123456789X":
        total = sum((10 - place) * (10 if digit == "X" else int(digit)) for place, digit in enumerate(digits))
        return Identifier(scheme, given, "" if total % 11 == 0 else "its check digit is wrong")
    if len(digits) == 13 and digits.isdecimal():
        total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
        is_book = digits.startswith(("978", "979"))
        return Identifier(scheme, given, "" if total % 10 == 0 and is_book else "its check digit or prefix is wrong")
    return Identifier(scheme, given, "an ISBN has 10 or 13 digits")


def _issn(scheme: str, given: str) -> Identifier:
    digits = given.replace("-", "").upper()
    total = sum((8 - place) * (10 if digit == "X" else int(digit)) for place, digit in enumerate(digits))
    return Identifier(scheme, given, "" if total % 11 == 0 else "its check digit is wrong")


def _pmid(scheme: str, given: str) -> Identifier:
    fault = "" if len(given) <= 8 else "a PMID has at most eight digits"
    return Identifier(scheme, given, fault, "" if fault else f"https://pubmed.ncbi.nlm.nih.gov/{given}/")


def _orcid(scheme: str, given: str) -> Identifier:
    total = 0
    digits = given.replace("-", "").upper()
    for digit in digits[:15]:
        total = (total + int(digit)) * 2
    expected = (12 - total % 11) % 11
    return Identifier(
        scheme, given, "" if digits[15] == ("X" if expected == 10 else str(expected)) else "its check digit is wrong"
    )


_Read = Callable[[str, str], Identifier]
_SCHEMES: tuple[tuple[str, re.Pattern[str], _Read], ...] = (
    ("DOI", re.compile(r"(?i)(?:\bdoi:?\s?|\b(?:dx\.)?doi\.org/)(?=\d)([^\s\"<>{}|\\^`]{3,220})"), _doi),
    ("arXiv", re.compile(r"(?i)(?:\barxiv:\s?|\barxiv\.org/(?:abs|pdf)/)([a-z./\d-]*\d[\dv.]*(?:\.pdf)?)"), _arxiv),
    ("ISBN", re.compile(r"(?i)\bISBN(?:-1[03])?:?\s?([\dX][\dX\s-]{7,20}[\dX])\b"), _isbn),
    ("ISSN", re.compile(r"(?i)\bISSN:?\s?(\d{4}-?\d{3}[\dX])\b"), _issn),
    ("PMID", re.compile(r"(?i)(?:\bPMID:?\s?|\bpubmed\.ncbi\.nlm\.nih\.gov/)(\d{1,12})\b"), _pmid),
    ("ORCID", re.compile(r"(?i)\borcid(?:\.org/|:?\s?)(\d{4}-\d{4}-\d{4}-\d{3}[\dX])\b"), _orcid),
)
