"""Exchanges an article for one of another product line."""

from collections.abc import Iterable, Mapping

from supervisor.evidence.business import Record, business, deed
from supervisor.evidence.business.words import plain_id
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_LINE = "SELECT line FROM article WHERE article_no = :article"
_OLD = ("article_nos", "item_ids", "item_id", "article_no")
_NEW = ("new_article_nos", "new_item_ids", "new_item_id", "new_article_no")


@specialist("tool")
async def exchanged_for_another_line(action: Action, context: Context) -> Opinion:
    """The n-th new article is for the n-th old one. Its line is a fact, or stands in the shop's table."""
    old, new = _listed(action, _OLD), _listed(action, _NEW)
    if not new or len(old) != len(new) or deed(action, context).reads:
        return refuse("it exchanges no article for another")
    known = 0
    for before, after in zip(old, new, strict=True):
        lines = [await _line_of(article, action, context) for article in (before, after)]
        if not all(lines):
            continue
        known += 1
        if lines[0] != lines[1]:
            return nudge(
                f"It exchanges {before}, a {lines[0]}, for {after}, a {lines[1]}.",
                correction=f"Offer another {lines[0]}; for anything else the client returns it and orders anew.",
                evidence=(before, after),
            )
    return ok() if known else refuse("nobody tells of which line the articles are")


def _listed(action: Action, names: tuple[str, ...]) -> list[str]:
    named = [action.args[name] for name in names if name in action.args][:1]
    return [str(each) for value in named for each in (value if isinstance(value, list) else [value])]


async def _line_of(article: str, action: Action, context: Context) -> str:
    """The line of an article, or the number of its product; "" where neither the facts nor the table know it."""
    known = business(action, context)
    record = known.find("item", article)
    own = record.values if record else {}
    told = own.get("line") or own.get("product_id") or _product_of(article, known.facts.records.values())
    if told:
        return str(told)
    rows = await context.query(_LINE, article=article)
    return str(rows[0]["line"]) if rows else ""


def _product_of(article: str, records: Iterable[Record]) -> str:
    """The product whose own record lists an article among its variants."""
    for record in records:
        variants = record.values.get("variants")
        if isinstance(variants, Mapping) and plain_id(article) in {plain_id(str(key)) for key in variants}:
            return record.id
    return ""
