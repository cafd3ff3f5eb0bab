"""Renders templates without escaping the inserted values (CWE-79)."""

from collections.abc import Iterator

from supervisor.evidence.actions.programs import module
from supervisor.evidence.actions.sources import is_trial
from supervisor.evidence.changes.edits import changes_and_new
from supervisor.evidence.changes.raw_output import is_template, raw_output
from supervisor.evidence.effects import Act
from supervisor.evidence.python import Call, Module
from supervisor.evidence.python.flows import origin_of
from supervisor.evidence.python.repairs import Change, given, shown
from supervisor.evidence.python.values import is_false, string_of
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_ESCAPED = (".html", ".htm", ".xml", ".xhtml", ".svg", ".jinja", ".jinja2", ".j2")
_RENDERERS = frozenset({"render_template", "flask.render_template"})
_PLAIN = ("bash", "conf", "config", "latex", "md", "py", "rst", "sh", "sql", "toml", "txt", "yaml", "yml", "cfg", "ini")


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def template_output_unescaped(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return _of_templates(action, context) or judged(action, context, "unescaped")
    found = list(_unescaped(code))
    if not found:
        return ok()
    seen, repair = found[0], shown(code, map(_escaping, found), _unescaped)
    return nudge(
        f"`{seen.text[:80]}` inserts values unescaped, so markup in one of them becomes part of the page.",
        correction="Make the environment escape: Environment(autoescape=select_autoescape()), and name the templates of"
        f" pages .html, which Flask and select_autoescape escape by that name.{repair}",
        evidence=(seen.text,),
    )


def _of_templates(action: Action, context: Context) -> Opinion | None:
    """The finding on a template that puts out what people write; None if there is none."""
    changed = [each for each in changes_and_new(action, context) if is_template(each.path)]
    seen = next(filter(None, map(raw_output, changed)), "")
    if not seen or is_trial(action):
        return ok() if changed and not action.text("path").endswith((".tsx", ".jsx")) else None
    return nudge(
        f"`{seen[:100]}` puts what somebody wrote into the page as markup, including any `<script>`.",
        correction="Put it out escaped, as the template does by itself. If it has to have markup, clean it first with a"
        " library that keeps a few tags: DOMPurify.sanitize(…), bleach.clean(…), sanitize(…).",
        evidence=(seen,),
    )


def _unescaped(code: Module) -> Iterator[Call]:
    for call in code.calls_of(
        ("Environment", "SandboxedEnvironment", "Context", "RequestContext", "Loader", "Template")
    ):
        if call.is_new and _is_switched_off(call):
            yield call
    for call in code.calls_of(["render_template"]):
        if call.is_new and (call.name in _RENDERERS or call.name.endswith(".render_template")) and _is_by_name(call):
            yield call


def _escaping(call: Call) -> Change | None:
    return given(call, {"autoescape": "True"}) if call.name.startswith("jinja2.") else None


def _is_switched_off(call: Call) -> bool:
    code, name = call.code, call.name
    given = call.keywords.get("autoescape")
    if given is not None:
        return is_false(code, given) or (code.text(given) == "None" and name.startswith("tornado"))
    return name == "jinja2.Environment" and not _is_for_plain_text(code) and _answers_pages(code)


def _answers_pages(code: Module) -> bool:
    """Whether the module makes pages: it uses a web framework, or templates named .html."""
    frameworks = ("aiohttp", "bottle", "django", "falcon", "fastapi", "flask", "pyramid", "starlette", "tornado")
    return b".html" in code.source or any(origin.startswith(frameworks) for origin in code.aliases.values())


def _is_for_plain_text(code: Module) -> bool:
    return any(f".{suffix}".encode() in code.source for suffix in _PLAIN)


def _is_by_name(call: Call) -> bool:
    """Flask escapes by the template's name, so a client's value in a template of another name is not escaped."""
    name = string_of(call.code, call.positional[0]) if call.positional else None
    if name is None or name.endswith(_ESCAPED) or "." not in name:
        return False
    return any(origin_of(call.code, value) is not None for value in call.keywords.values())
