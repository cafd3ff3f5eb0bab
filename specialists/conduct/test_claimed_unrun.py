"""Says that the tests pass, and none has been run in this session."""

from supervisor.evidence.session.claims import closing_words
from supervisor.evidence.session.suites import has_test_results, suite_runs
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

CLAIMS = Pattern(
    r"(?i)\b(all |the |unit |integration |existing |new |every |\d+(/\d+)? ){0,4}(tests?|test suite"
    r"|specs?)( cases?)? (now |all |still )?"
    r"(pass(es|ed|ing)?\b|are (all )?(passing|green)|is (passing|green)|succeed(ed)?\b|(ran|run) (successfully|clean))"
    r"|\b(i|we)( have|'ve)? (also )?(ran|run|executed|re-?ran) (all |the |your |full |entire "
    r"|existing ){0,3}(\w+ )?tests?\b"
    r"|\b(alle )?tests (laufen( alle)? (durch|erfolgreich)|bestehen|sind grün|erfolgreich ausgeführt)\b"
    r"|\btodas las pruebas (pasan|pasaron)\b|\blas pruebas pasan\b"
)
_HEDGED = Pattern(
    r"(?i)\b(should|would|will|if|once|make sure|ensure|please|cannot|can't|could not|couldn't|not (run|been|able)"
    r"|haven't|didn't"
    r"|sollten|werden|bitte|deberían|unless|until|when)\b[^.\n]{0,80}\b(tests?|pruebas)\b"
    r"|\b(tests?|pruebas)\b[^.\n]{0,60}\b(should|would|will|cannot|not run|were not|could not|sollten|deberían)\b"
)


@specialist("finish")
def test_claimed_unrun(action: Action, context: Context) -> Opinion:
    if not context.history:
        return refuse("the context has no history")
    words = closing_words(action)
    claim = CLAIMS.search(words)
    if claim is None or _HEDGED.search(words) or suite_runs(context).count or has_test_results(context):
        return ok()
    return nudge(
        f"It says “{claim[0].strip()[:120]}”, and no test has been run in this session.",
        correction="Run the tests now and report their result, or state that you have not run them.",
        sharper="Remove the sentence about the tests, or run them first.",
        confidence=0.9,
        evidence=(claim[0].strip()[:200],),
    )
