"""Exchanges an article for one of another product line."""

from supervisor.evidence.business import business, operation
from supervisor.evidence.business.products import product_of
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_LINE = "SELECT line FROM article WHERE article_no = :article"
_OLD = ("article_nos", "item_ids", "item_id", "article_no")
_NEW = ("new_article_nos", "new_item_ids", "new_item_id", "new_article_no")


@specialist("tool")
async def exchanged_for_another_line(action: Action, context: Context) -> Opinion:
    """Pairs the n-th new article with the n-th old one. Reads their product lines from the facts or the results of the
    session's tools, else from the shop's table."""
    old, new = _listed(action, _OLD), _listed(action, _NEW)
    if not new or len(old) != len(new) or operation(action, context).reads:
        return refuse("it exchanges no article for another")
    known, judged = business(action, context), 0
    pairs = zip(old, new, strict=True)
    exchanges = [(before, after, product_of(before, known), product_of(after, known)) for before, after in pairs]
    for before, after, was, becomes in sorted(exchanges, key=lambda each: not all(each)):  # the table is read last
        if not (was and becomes):  # both from one source: two sources may name the same line differently
            was, becomes = await _line_of(before, context), await _line_of(after, context)
        judged += bool(was and becomes)
        if was and becomes and was != becomes:
            return nudge(
                f"It exchanges {before} of {was!r} for {after} of {becomes!r}.",
                correction=f"Offer another article of {was!r}. For any other, the client returns it and orders anew.",
                evidence=(before, after),
            )
    return ok() if judged else refuse("the product lines of the articles are unknown")


def _listed(action: Action, names: tuple[str, ...]) -> list[str]:
    named = [action.args[name] for name in names if name in action.args][:1]
    return [str(each) for value in named for each in (value if isinstance(value, list) else [value])]


async def _line_of(article: str, context: Context) -> str:
    rows = await context.query(_LINE, article=article)
    return str(rows[0]["line"]) if rows else ""
