"""Switches off the check that a form was sent from the site's own pages (CWE-352)."""

import re
from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Module
from supervisor.evidence.python.values import is_false
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_SETTINGS = frozenset({"WTF_CSRF_ENABLED", "WTF_CSRF_CHECK_DEFAULT", "CSRF_ENABLED", "csrf"})
_SIGNED = (b"compare_digest", b"hmac.new", b"construct_event", b"verify_signature", b"validate_signature", b".verify(")
_CHECKS_SIGNATURE = re.compile(
    r"(?i)hmac|secure_?compare|(?:verify|validate|check)_?signature|construct_?event|timingSafeEqual|FixedTimeEquals"
    r"|hash_equals|MessageDigest\.isEqual"
)
_TRIALS = (b"TESTING", b"test_client", b"pytest", b"unittest")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def forged_requests_accepted(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        found = judged(action, context, "csrf")
        texts = (action.text(name) for name in ("content", "new"))
        if isinstance(found, Finding) and found.correction and any(map(_CHECKS_SIGNATURE.search, texts)):
            return flag(found.reason, evidence=found.evidence)
        return found
    if is_trial(action) or any(word in code.source for word in _TRIALS):
        return ok()
    seen = next(_switched_off(code), None)
    if seen is not None:
        return nudge(
            f"`{seen[:100]}` lets any other page send forms in the name of a logged-in user.",
            correction="Leave the protection on, and exempt single views that other machines call and that check a"
            " signature of their own. Forms get their token by {{ csrf_token }} or form.hidden_tag().",
            evidence=(seen,),
        )
    single = next(_exempted(code), None)
    if single is None:
        return ok()
    return flag(f"`{single}` exempts a view from the check against forged requests.", evidence=(single,))


def _switched_off(code: Module) -> Iterator[str]:
    """The settings that remove the protection from all views, or from all forms of a class."""
    for target, value in code.assignments if b"csrf" in code.source.lower() else ():
        statement = value.parent or value
        name = target.rpartition(".")[2]
        if name == "?" or "[" in code.text(statement).partition("=")[0]:
            name = code.text(statement).partition("]")[0].rpartition("[")[2].strip("\"'")
        means = name in _SETTINGS and (name != "csrf" or "Meta" in code.source.decode("utf-8", "replace"))
        if means and is_false(code, value) and code.is_new(statement):
            yield code.text(statement)
    for call in code.calls_of(("set_default_csrf_options", "update", "from_mapping", "add_view")):
        named = {"set_default_csrf_options": ("require_csrf",), "add_view": ("require_csrf",)}.get(
            call.method, _SETTINGS - {"csrf"}
        )
        if call.is_new and any(is_false(code, call.keywords.get(name)) for name in named):
            yield call.text


def _exempted(code: Module) -> Iterator[str]:
    if any(word in code.source for word in _SIGNED):
        return  # what another machine sends has no form, and a signature that the view checks
    for decorator in code.nodes("decorator"):
        text = code.text(decorator)
        if text.removeprefix("@").rpartition(".")[2] in ("csrf_exempt", "exempt") and code.is_new(decorator):
            yield text
