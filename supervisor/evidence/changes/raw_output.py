# ruff: noqa: E501 - a pattern that is broken over lines reads worse
"""Templates that put what people write into a page as markup, whatever the template's language (CWE-79)."""

from __future__ import annotations

import re

from supervisor.evidence.changes.edits import Edit
from supervisor.regexes import compile_later

_VALUE = r"(?P<{0}>[\w$.@?!\[\]'\"()>-]{{1,80}}?)"
_FORMS = tuple(
    compile_later(form)
    for form in (
        rf"<%-\s{{0,4}}{_VALUE.format('ejs')}\s{{0,4}}-?%>",
        rf"<%==\s{{0,4}}{_VALUE.format('erb')}\s{{0,4}}-?%>|<%=\s{{0,4}}raw[ (]\s{{0,4}}{_VALUE.format('raw')}\s{{0,4}}\)?\s{{0,4}}-?%>"
        rf"|<%=\s{{0,4}}{_VALUE.format('safe')}\.html_safe\s{{0,4}}-?%>",
        rf"\{{!!\s{{0,4}}{_VALUE.format('blade')}(?:\s{{0,4}}\?\?[^!]{{0,40}})?\s{{0,4}}!!\}}",
        rf"\{{\{{\{{\s{{0,4}}{_VALUE.format('mustache')}\s{{0,4}}\}}\}}\}}",
        rf"\{{\{{\s{{0,4}}{_VALUE.format('jinja')}\s{{0,4}}\|\s{{0,4}}(?:safe|raw|safeHtml|safeHTML|noescape)\s{{0,4}}\}}\}}",
        rf"(?:v-html|ng-bind-html|\[innerHTML\]|th:utext)=\"(?:\$\{{)?{_VALUE.format('attribute')}\}}?\"",
        rf"dangerouslySetInnerHTML=\{{\{{\s{{0,8}}__html:\s{{0,8}}{_VALUE.format('react')}\s{{0,8}}\}}\}}",
        rf"@Html\.Raw\({_VALUE.format('razor')}\)|@\(new HtmlString\({_VALUE.format('html')}\)\)",
        rf"\{{@html\s+{_VALUE.format('svelte')}\s{{0,4}}\}}|set:html=\{{{_VALUE.format('astro')}\}}",
    )
)
_TEMPLATES = compile_later(
    r"\.(?:ejs|erb|rhtml|haml|slim|blade\.php|phtml|twig|jinja2?|j2|njk|html?|vue|svelte|astro|hbs|handlebars|mustache|[jt]sx|cshtml|razor|ftlh?|jspx?|liquid|tmpl|gohtml)$"
)
# The last word of a value that people write for others to read.
_WRITTEN_BY_PEOPLE = frozenset(
    "comment comments bio message messages review reviews note notes signature reply replies feedback remark remarks nickname"
    " displayname username motto".split()
)
_OF_RECORD = re.compile(r"[.>\]]|^@")
_CLEANS = compile_later(
    r"(?i)sanit|purif|escape|bleach|\bxss\b|markdown|\bmarked?\b|render(?:ed|er)?\b|safe_?html|htmlToText|strip_?tags|clean"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def is_template(path: str) -> bool:
    """Whether a path is that of a template of pages."""
    return _TEMPLATES.search(path) is not None


def raw_output(edit: Edit) -> str:
    """The new place of a template in which a value that people write is put out as it is; empty for most changes, and
    where anything in the template cleans markup."""
    if not is_template(edit.path) or _CLEANS.search(edit.after):
        return ""
    for form in _FORMS:
        for found in form.finditer(edit.after):
            value = next(filter(None, found.groupdict().values()), "")
            words = _WORD.findall(value.replace("()", ""))
            lowered = [word.lower() for word in words]
            by_people = bool(words) and (
                lowered[-1] in _WRITTEN_BY_PEOPLE
                or (lowered[-1] in ("body", "text", "content") and not _WRITTEN_BY_PEOPLE.isdisjoint(lowered))
            )
            if by_people and _OF_RECORD.search(value) and found[0] not in edit.before:
                return " ".join(found[0].split())
    return ""
