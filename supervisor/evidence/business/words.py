"""The vocabulary of businesses of all kinds: the meaning of words in names of tools and fields, and in sentences."""

from __future__ import annotations

import functools
import re

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[a-z0-9]+")


def listed(names: str) -> frozenset[str]:
    """The words of a list, as a set."""
    return frozenset(names.split())


PERSONS = listed(
    "user customer client member patient guest subscriber tenant borrower policyholder cardholder passenger buyer "
    "shopper student citizen applicant"
)
# Names of the column with a record's owner. A payer or a sender is an owner too, a payee is not.
OWNERS = (
    *(f"{person}_id" for person in sorted(PERSONS)),
    *("owner_id", "owner", "holder_id", "holder", "account_holder", "belongs_to", "purchaser_id", "payer_id"),
    *("customer", "user", "client", "member", "customer_no", "customer_number", "client_no", "userid", "customerid"),
    "username",
    "account_id",
)
INSTRUMENTS = listed(
    "payment_method instrument card credit_card debit_card gift_card wallet payment_source funding_source voucher "
    "certificate payment_instrument card_on_file bank_card payment_option"
)
# Prefixes of the ids that shops and processors give to means of payment.
INSTRUMENT_PREFIXES = listed(
    "credit debit card paypal gift giftcard certificate voucher wallet visa mastercard amex bank ach sepa pm cc gc "
    "klarna applepay googlepay"
)
STATE_FIELDS = (
    "status",
    "state",
    "phase",
    "stage",
    "order_status",
    "payment_status",
    "booking_status",
    "ticket_status",
)
STATES = listed(
    "pending processing processed confirmed unconfirmed placed paid unpaid authorized captured settled due "
    "overdue void voided shipped dispatched shipping delivered undelivered fulfilled "
    "completed complete finished cancelled canceled "
    "returned refunded exchanged active inactive suspended frozen blocked locked closed open reopened resolved expired "
    "draft approved rejected denied scheduled available unavailable flying landed delayed departed used unused "
    "redeemed terminated deactivated disabled archived failed hold dormant cleared"
)
_SAME_STATE = {"canceled": "cancelled", "voided": "void", "complete": "completed", "dispatched": "shipped"}

# The stems of verbs for each act.
_ACTS: dict[str, str] = {
    stem: act
    for act, stems in {
        "cancel": "cancel annul void",
        "modify": "modif updat chang edit amend alter adjust reschedul",
        "return": "return",
        "exchange": "exchang swap replac",
        "refund": "refund reimburs",
        "pay": "pay settl charg",
        "suspend": "suspend paus freez",
        "resume": "resum reactivat unfreez unsuspend unpaus",
        "close": "clos terminat resolv",
        "reopen": "reopen",
        "ship": "ship dispatch",
        "delete": "delet remov eras",
        "transfer": "transfer wir",
        "withdraw": "withdraw",
        "approve": "approv",
        "upgrade": "upgrad downgrad",
        "renew": "renew extend",
        "book": "book reserv",
        "redeem": "redeem",
    }.items()
    for stem in stems.split()
}
_READS = listed(
    "get find list search lookup look view show check count query describe read fetch retrieve browse calculate "
    "compute summarize summarise think estimate verify validate track is has compare inspect preview quote"
)
_NEUTRAL = listed(
    "process issue make do perform execute submit request initiate start handle run apply set add create place send "
    "grant post put call my the a an api admin v1 v2 backend"
)
_INFLECTIONS = ("", "e", "es", "ed", "d", "s", "ing", "al", "ation", "ied", "y", "ies", "led", "ling", "lation", "ment")


@functools.lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """The words of a name (`modifyPendingOrder`, `order-id`, `orders.cancel`), lower case."""
    return tuple(_WORD.findall(_CAMEL.sub("_", name[:256]).lower()))


@functools.lru_cache(maxsize=4096)
def snake(name: str) -> str:
    """A name in snake case."""
    return "_".join(words(name))


@functools.lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """The singular of a word; the word itself if it is not a plural."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes", "uses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


_IRREGULAR = {"paid": "pay", "frozen": "suspend", "withdrawn": "withdraw", "booking": "", "payment": "", "order": ""}


@functools.lru_cache(maxsize=4096)
def act_of(word: str) -> str:
    """The act that a word names (`cancelled`: cancel); "" for none."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for stem, act in _ACTS.items():
        if word.startswith(stem) and word[len(stem) :] in _INFLECTIONS:
            return act
    return ""


@functools.lru_cache(maxsize=4096)
def is_plain_verb(word: str) -> bool:
    """Whether a word is a verb of an act in its plain form (`cancel`), not a noun or a participle of it."""
    return any(word.startswith(stem) and word[len(stem) :] in ("", "e", "y") for stem in _ACTS)


def is_reading(word: str) -> bool:
    """Whether a verb only reads."""
    return word in _READS


def is_neutral(word: str) -> bool:
    """Whether a verb has no meaning without the word after it (`process_refund`)."""
    return word in _NEUTRAL


def state_words(text: str) -> frozenset[str]:
    """The states that a text names, each in its usual spelling."""
    return frozenset([_SAME_STATE.get(word, word) for word in words(text) if word in STATES])


def same_state(word: str) -> str:
    """A state in its usual spelling."""
    return _SAME_STATE.get(word, word)


@functools.lru_cache(maxsize=4096)
def plain_id(value: str) -> str:
    """An identifier in the form for comparison: `#W123` is `w123`."""
    return value.strip().lstrip("#").casefold()
