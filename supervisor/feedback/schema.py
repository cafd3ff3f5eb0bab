"""The tables of the index. All of it comes from journals but `holds`; a change here needs a migration beside it.

Times are texts in UTC with microseconds, so that they compare alike in every database. Columns named `is_…` are 0 or 1.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Index, Integer, MetaData, String, Table, Text, literal_column, text

metadata = MetaData()


def _address(name: str, *, primary_key: bool = False, nullable: bool = False) -> Column[str]:
    return Column(name, String(64), primary_key=primary_key, nullable=nullable)


def _time(name: str) -> Column[str]:
    return Column(name, String(32), nullable=False)


# How far each segment is read. `digest` is the SHA-256 of its first `bytes` bytes.
segments = Table(
    "segments",
    metadata,
    Column("segment", String(128), primary_key=True),
    Column("place", Text, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("records", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("is_sealed", Integer, nullable=False),
)

# A judged action (`before`) or outcome (`after`). `rank` orders what waits for review: 0 is the riskiest. `features`
# is the fingerprint as a JSON list, `fingerprint` the key of its group of near-duplicates.
decisions = Table(
    "decisions",
    metadata,
    _address("record", primary_key=True),
    Column("id", String(64), nullable=False),
    Column("stage", String(6), nullable=False),
    _time("time"),
    Column("week", String(8), nullable=False),
    Column("session", Text),
    Column("agent", Text),
    Column("project", Text),
    Column("kind", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("verdict", String(5), nullable=False),
    Column("entries", Text, nullable=False),  # those that decided, as a JSON list
    Column("confidence", Float, nullable=False),
    Column("rank", Integer, nullable=False),
    _address("action"),
    Column("fingerprint", String(64), nullable=False),
    Column("features", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("elapsed_ms", Float, nullable=False),
    Column("is_reviewable", Integer, nullable=False),
    Column("is_waiting", Integer, nullable=False),
    Column("heeded", String(8), nullable=False),
    Column("label", String(16), nullable=False),
    Column("segment", String(128), nullable=False, server_default=""),  # "": not known, from before it was kept
    Index("ix_decisions_waiting", "is_waiting", "rank", "time", "record"),
    Index("ix_decisions_group", "fingerprint", "is_waiting", "rank", "time", "record"),
    Index("ix_decisions_session", "session", "time", "record"),
    Index("ix_decisions_time", "time", "record"),
    Index("ix_decisions_alike", "fingerprint", "time", "record"),
    Index("ix_decisions_kind", "kind", text("substr(entries, 1, 512)"), "time", "record"),
)
ENTRIES_BEGIN = literal_column("substr(entries, 1, 512)", Text)  # PostgreSQL indexes no text of any length

# Every objection. `latency` is the class of the decision's time, see `latency`.
findings = Table(
    "findings",
    metadata,
    _address("record", primary_key=True),
    Column("specialist", String(128), primary_key=True),
    Column("week", String(8), nullable=False),
    Column("verdict", String(5), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("reason", Text, nullable=False),
    Column("is_deciding", Integer, nullable=False),
    Column("is_stopping", Integer, nullable=False),
    Column("heeded", String(8), nullable=False),
    Column("label", String(16), nullable=False),
    Column("latency", Integer, nullable=False),
    Index("ix_findings_week", "specialist", "week", "is_stopping", "label", "heeded", "latency"),
)

# Every lost vote.
refusals = Table(
    "refusals",
    metadata,
    _address("record", primary_key=True),
    Column("specialist", String(128), primary_key=True),
    Column("week", String(8), nullable=False),
    Column("cause", String(16), nullable=False),
    Column("ended", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Index("ix_refusals_week", "specialist", "week"),
)

# What came of actions: a judged outcome, an attempt to undo one (`outcome` is then its address), a person's answer.
outcomes = Table(
    "outcomes",
    metadata,
    _address("record", primary_key=True),
    Column("kind", String(16), nullable=False),
    _time("time"),
    Column("session", Text),
    _address("action"),
    _address("about", nullable=True),
    Column("result", Text, nullable=False),
    Column("by", Text, nullable=False),
    Index("ix_outcomes_about", "about"),
    Index("ix_outcomes_session", "session", "action"),
)

labels = Table(
    "labels",
    metadata,
    _address("record", primary_key=True),
    _address("decision"),
    _time("time"),
    Column("word", String(16), nullable=False),
    Column("verdict", String(5), nullable=False),
    Column("entry", String(128), nullable=False),
    Column("by", Text, nullable=False),
    Column("via", String(16), nullable=False),
    Column("note", Text, nullable=False),
    Index("ix_labels_decision", "decision"),
    Index("ix_labels_word", "word"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("session", Text, primary_key=True),
    Column("agent", Text),
    Column("project", Text),
    _time("first"),
    _time("last"),
    Column("decisions", Integer, nullable=False),
    Column("stopped", Integer, nullable=False),
    Column("flagged", Integer, nullable=False),
    Column("waiting", Integer, nullable=False),
    Index("ix_sessions_last", "last"),
)

# The groups of near-duplicates in which something waits, with the member to show first (`lead`).
groups = Table(
    "groups",
    metadata,
    Column("fingerprint", String(64), primary_key=True),
    Column("is_labelled", Integer, nullable=False),  # a person has judged one of its members
    Column("rank", Integer, nullable=False),
    _time("time"),
    _address("lead"),
    Column("waiting", Integer, nullable=False),
    Index("ix_groups_next", "is_labelled", "rank", "time", "lead"),
)

# Who looks at an item now. Not from a journal: a rebuild forgets it, and it expires.
holds = Table(
    "holds",
    metadata,
    _address("record", primary_key=True),
    Column("holder", Text, nullable=False),
    _time("until"),
)

# `rebuilding` is there from the beginning of a rebuild to its end.
states = Table("states", metadata, Column("name", String(32), primary_key=True), Column("value", Text, nullable=False))

FROM_JOURNALS = tuple(table for table in metadata.sorted_tables if table.name not in ("states",))
