"""The product that an item is a variant of, from the records in facts and in the tools' outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from supervisor.evidence.business import Business
from supervisor.evidence.business.records import Ledger
from supervisor.evidence.business.words import listed, plain_id, words

MOST_VARIANTS = 1_000  # of one product
_COLUMNS = ("product_id", "product_no", "product_number", "product_code", "productId")
_VARIANTS = listed("variant variants variation variations sku skus")
_IDS = listed("id no number code sku uuid")


def product_of(item: str, known: Business) -> str:
    """The id of the product that an item is a variant of, from the item's own record or the product's list of variants;
    "" if neither has it."""
    record = known.find("item", item)
    product = record.named("", *_COLUMNS) if record else None
    if isinstance(product, (str, int)) and not isinstance(product, bool):
        return plain_id(str(product))
    plain = plain_id(item)
    lists = (each for ledger in (known.facts, known.from_outputs) for each in _lists(ledger))
    return next((product for product, variants in lists if plain in _ids(variants)), "")


def _lists(ledger: Ledger) -> Iterator[tuple[str, Any]]:
    """The ids of products that list their variants, each with that list."""
    for record in ledger.with_column(_VARIANTS):
        for name, value in record.values.items():
            if isinstance(value, (Mapping, list)) and not _VARIANTS.isdisjoint(words(str(name))):
                yield plain_id(record.id), value


def _ids(variants: Any) -> set[str]:
    """The ids of variants: the keys of a table, plain ids, or the columns whose names end like an id."""
    found: list[Any] = []
    for each in list(variants)[:MOST_VARIANTS]:
        if isinstance(each, Mapping):
            found += [value for name, value in each.items() if words(str(name))[-1:] and words(str(name))[-1] in _IDS]
        else:
            found.append(each)
    return {plain_id(str(each)) for each in found if isinstance(each, (str, int))}
