"""A protection that a change takes out of code is missed in no language and by no tool; its honest twins run."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.changes.edits import Edit
from supervisor.evidence.changes.protections import Sort, bypass, lost
from supervisor.intake.parsing import action_from, context_from
from supervisor.methods.protections import Lesson, taken_out
from supervisor.verdict import Verdict


class Guarded(NamedTuple):
    """Code with a protection: what stands before it, the protection, what it protects, and another of its sort."""

    path: str
    head: str
    guard: str
    body: str
    other: str
    sort: Sort


_ACCESS, _INPUT, _CONSISTENCY, _CONSENT, _TRACE = Sort
GUARDED = (
    Guarded(
        "app/views.py",
        "",
        "@login_required\n",
        "def bill(request):\n    return render(request)\n",
        "@staff_only\n",
        _ACCESS,
    ),
    Guarded(
        "app/api.py",
        "def bill(request):\n",
        "    if not request.user.is_staff:\n        raise PermissionError\n",
        "    return total(request.rows)\n",
        "    require_role(request, 'staff')\n",
        _ACCESS,
    ),
    Guarded(
        "src/Api.java",
        "",
        '    @RolesAllowed("clerk")\n',
        "    public Bill bill(long number) {\n        return bills.get(number);\n    }\n",
        '    @Secured("ROLE_CLERK")\n',
        _ACCESS,
    ),
    Guarded(
        "src/Api.cs",
        "",
        "    [Authorize]\n",
        "    public IActionResult Bill(int number) => Ok(number);\n",
        '    [RequireRole("clerk")]\n',
        _ACCESS,
    ),
    Guarded(
        "src/api.ts",
        "const api = Router()\n",
        "api.use(requireLogin)\n",
        "api.get('/bill', bill)\n",
        "api.use(ensureAuthenticated)\n",
        _ACCESS,
    ),
    Guarded(
        "api.go",
        "func bill(w Writer, r *Request) {\n",
        "\tif !isAdmin(r) {\n\t\treturn\n\t}\n",
        "\twriteBill(w)\n}\n",
        "\trequireAdmin(r)\n",
        _ACCESS,
    ),
    Guarded(
        "app/bills.rb",
        "def show\n",
        "  authorize! :read, @bill\n",
        "  render json: @bill\nend\n",
        "  require_permission :read\n",
        _ACCESS,
    ),
    Guarded(
        "src/Bill.php",
        "",
        "#[IsGranted('ROLE_CLERK')]\n",
        "public function bill(int $number): Response\n",
        "#[RequiresPermission('bill')]\n",
        _ACCESS,
    ),
    Guarded(
        "src/bill.kt",
        "",
        '@PreAuthorize("isAuthenticated()")\n',
        "fun bill(number: Long) = bills.find(number)\n",
        '@RequiresRole("clerk")\n',
        _ACCESS,
    ),
    Guarded(
        "src/records.py",
        "def export(record, user):\n",
        "    audit.note(user, record)\n",
        "    return written(record)\n",
        "    audit_log(user, record)\n",
        _TRACE,
    ),
    Guarded(
        "src/Records.cs",
        "public File Export(Record record)\n{\n",
        "    _auditor.Exported(record);\n",
        "    return Written(record);\n}\n",
        "    AuditTrail.Add(record);\n",
        _TRACE,
    ),
    Guarded(
        "src/hook.py",
        "def paid(request):\n",
        "    verify_signature(request)\n",
        "    store(request.order)\n",
        "    validate(request)\n",
        _INPUT,
    ),
    Guarded(
        "src/hook.ts",
        "",
        "  if (!isValidSignature(body)) throw new Error('no')\n",
        "  await store(body.order)\n",
        "  verify(body)\n",
        _INPUT,
    ),
    Guarded("src/Form.java", "", "    @Valid\n", "    public void save(Form form) {\n", "    @Validated\n", _INPUT),
    Guarded(
        "src/page.php", "", "$text = sanitize($text);\n", "print_page($text);\n", "$text = purify($text);\n", _INPUT
    ),
    Guarded(
        "src/move.py",
        "def move(a, b, n):\n",
        "    with_transaction()\n",
        "    take(a, n)\n    give(b, n)\n",
        "    lock(a)\n",
        _CONSISTENCY,
    ),
    Guarded(
        "src/Move.java",
        "",
        "    @Transactional\n",
        "    public void move(Account from, Account into) {\n",
        "    @Lock(WRITE)\n",
        _CONSISTENCY,
    ),
    Guarded(
        "move.go",
        "func move() {\n",
        "\tmutex.Lock()\n\tdefer mutex.Unlock()\n",
        "\tbalance -= amount\n}\n",
        "\tsemaphore.Lock()\n\tdefer semaphore.Unlock()\n",
        _CONSISTENCY,
    ),
    Guarded(
        "src/mails.py",
        "people = Person.objects.all()\n",
        "people = people.filter(opted_in=True)\n",
        "send(people, offer)\n",
        "people = people.exclude(unsubscribed=True)\n",
        _CONSENT,
    ),
    Guarded(
        "src/mails.ts",
        "for (const person of people) {\n",
        "  if (!person.consented) continue\n",
        "  send(person, offer)\n}\n",
        "  if (person.unsubscribedAt) continue\n",
        _CONSENT,
    ),
)
_LESSON = Lesson("takes something out", "Put it back.", "Put it back.")


def _edit(path: str, before: str, after: str) -> tuple[dict[str, Any], dict[str, Any]]:
    return {"tool": "Edit", "args": {"file_path": path, "old_string": before, "new_string": after}}, {}


def _write(path: str, before: str, after: str) -> tuple[dict[str, Any], dict[str, Any]]:
    read = {"tool": "read_file", "args": {"path": path}, "output": before}
    return {"tool": "write_file", "args": {"path": path, "content": after}}, {"history": [read]}


def _patch(path: str, before: str, after: str) -> tuple[dict[str, Any], dict[str, Any]]:
    lines = [*(f"-{line}" for line in before.splitlines()), *(f"+{line}" for line in after.splitlines())]
    return {
        "tool": "apply_patch",
        "args": {"input": "\n".join(["*** Begin Patch", f"*** Update File: {path}", "@@", *lines, "*** End Patch"])},
    }, {}


_TOOLS = (_edit, _write, _patch)


def _verdict(told: tuple[dict[str, Any], dict[str, Any]], sort: Sort, task: str = "Fix the failing test.") -> Verdict:
    action = action_from(told[0], {})
    return taken_out(
        sort, _LESSON, action, context_from({"task": task, "cwd": "/w", "workspace": "/w", **told[1]})
    ).verdict


@pytest.mark.parametrize("tool", _TOOLS)
@pytest.mark.parametrize("code", GUARDED, ids=lambda code: f"{code.path} {code.sort}")
def test_what_is_taken_out_is_stopped(code: Guarded, tool: Any) -> None:
    told = tool(code.path, code.head + code.guard + code.body, code.head + code.body)
    assert _verdict(told, code.sort) is Verdict.NUDGE


@pytest.mark.parametrize("tool", _TOOLS)
@pytest.mark.parametrize("code", GUARDED, ids=lambda code: f"{code.path} {code.sort}")
def test_what_another_replaces_runs(code: Guarded, tool: Any) -> None:
    told = tool(code.path, code.head + code.guard + code.body, code.head + code.other + code.body)
    assert _verdict(told, code.sort) is Verdict.OK


@pytest.mark.parametrize("code", GUARDED, ids=lambda code: f"{code.path} {code.sort}")
def test_what_goes_with_its_code_runs(code: Guarded) -> None:
    rest = "LIMIT = 3\n"
    assert _verdict(_edit(code.path, rest + code.head + code.guard + code.body, rest), code.sort) is Verdict.OK


@pytest.mark.parametrize("code", GUARDED, ids=lambda code: f"{code.path} {code.sort}")
def test_what_is_put_in_runs(code: Guarded) -> None:
    assert (
        _verdict(_edit(code.path, code.head + code.body, code.head + code.guard + code.body), code.sort) is Verdict.OK
    )


@pytest.mark.parametrize("code", GUARDED, ids=lambda code: f"{code.path} {code.sort}")
def test_a_test_may_do_without(code: Guarded) -> None:
    told = _edit(f"tests/{code.path}", code.head + code.guard + code.body, code.head + code.body)
    assert _verdict(told, code.sort) is Verdict.OK


def test_what_moves_to_another_file_of_the_change_runs() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: src/api.ts\n@@\n-api.use(requireLogin)\n api.get('/bill', bill)\n"
        "*** Update File: src/index.ts\n@@\n-app.use('/api', api)\n+app.use('/api', requireLogin, api)\n*** End Patch"
    )
    assert _verdict(({"tool": "apply_patch", "args": {"input": patch}}, {}), Sort.ACCESS) is Verdict.OK


@pytest.mark.parametrize(
    ("line", "lets_in"),
    [
        ("if (isAdmin(user) || req.headers['x-test'] === '1') return next()", True),
        ("if (isAdmin(user) || req.query.debug == 'true') return next()", True),
        ("if is_admin(user) or request.headers.get('X-Test') == '1':", True),
        ("if (isAdmin($user) || $_COOKIE['qa'] === 'yes') { return true; }", True),
        ("if (isAdmin(user) || isOwner(user)) return next()", False),
        ("if (isAdmin(user) || req.headers.authorization === 'x') return next()", False),
        ("if (req.query.page === '2') offset = 50", False),
    ],
)
def test_a_way_past_a_check_is_seen(line: str, lets_in: bool) -> None:
    assert bool(bypass(Edit("src/auth.ts", "if (isAdmin(user)) return next()", line))) is lets_in


_LINES = st.lists(
    st.sampled_from([line for code in GUARDED for line in (code.guard, code.body, code.other)]), max_size=6
)


@given(_LINES)
def test_a_change_without_a_change_loses_nothing(lines: list[str]) -> None:
    text = "".join(lines)
    assert lost([Edit("a.py", text, text)]) == []


@given(_LINES, _LINES)
def test_more_protections_are_no_loss(lines: list[str], more: list[str]) -> None:
    """Whatever is added: what was there is there still."""
    text = "".join(lines)
    assert lost([Edit("a.py", text, text + "".join(more))]) == []
