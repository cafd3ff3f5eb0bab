"""Settings of producers and consumers in code with which messages are lost without an error."""

from __future__ import annotations

import re

# By library: the producers and consumers of Kafka, RabbitMQ, NATS and SQS in the languages that call them.
_GIVEN_UP = (
    r"\bACKS_CONFIG\s*,\s*\"?0\b",  # Java, Kotlin, Scala
    r"[\"']acks[\"']\s*[,:)\]]\s*(?:=>?\s*)?[\"']?0\b",  # dictionaries and maps
    r"\backs\s*[=:]\s*[\"']?0\b",  # kafka-python, kafkajs
    r"\bAcks\s*=\s*Acks\.None\b",  # .NET
    r"\bRequiredAcks\s*[=:]\s*(?:sarama\.NoResponse|kafka\.RequireNone|0\b)",  # Go
    r"\brequire_acks\s*\(\s*RequiredAcks::None|RequiredAcks::None\b",  # Rust
    r"\bRETRIES_CONFIG\s*,\s*\"?0\b",
    r"\bUNCLEAN_LEADER_ELECTION_ENABLE_CONFIG\s*,\s*\"?true\b",
    r"\bAcknowledgeMode\.NONE\b",  # Spring AMQP
    r"\bnoAck\s*:\s*true\b|\bauto_ack\s*=\s*True\b|\bautoAck\s*:\s*true\b",
)
_NAMES = ("acks", "Acks", "ACKS_", "RETRIES_CONFIG", "UNCLEAN_", "AcknowledgeMode", "noAck", "auto_ack", "autoAck")
_PATTERN = re.compile("|".join(_GIVEN_UP))
_OF_MESSAGES = re.compile(r"(?i)kafka|producer|rabbit|amqp|pika|channel|broker|sarama|librdkafka|consume")


def given_up_in_code(before: str, after: str) -> str:
    """The setting in the new code that gives up a guarantee; empty if there is none, or it was there before."""
    if not any(name in after for name in _NAMES) or not _OF_MESSAGES.search(after):
        return ""
    return next((found[0] for found in _PATTERN.finditer(after) if found[0] not in before), "")
