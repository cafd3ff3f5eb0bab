"""What a change takes out of a repository's own rules for changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.changes.edits import Edit
from supervisor.evidence.changes.gates import opened_gate

_PATHS = st.sampled_from(["CODEOWNERS", ".github/workflows/ci.yml", ".pre-commit-config.yaml", "rules.tf", "a.py"])
_LINES = st.lists(
    st.sampled_from(
        [
            "/infra/ @shop/platform",
            "* @shop/all",
            "# nobody",
            "- id: gitleaks",
            "- run: npm audit",
            "required_approving_review_count = 2",
            "require_code_owner_reviews: true",
            "enforce_admins: false",
            "",
        ]
    ),
    max_size=5,
    unique_by=lambda line: line.partition(" ")[0] or line,
)


@given(_PATHS, _LINES)
def test_what_is_only_put_in_another_order_is_no_loss(path: str, lines: list[str]) -> None:
    shuffled = sorted(lines, key=lambda line: (len(line) % 3, line))
    assert opened_gate(Edit(path, "\n".join(lines), "\n".join(shuffled))) == ""


@given(_PATHS, _LINES, _LINES)
def test_what_is_added_is_no_loss(path: str, lines: list[str], more: list[str]) -> None:
    added = [line for line in more if line.partition(" ")[0] not in {each.partition(" ")[0] for each in lines}]
    assert opened_gate(Edit(path, "\n".join(lines), "\n".join([*lines, *added]))) == ""


@given(st.integers(0, 5), st.integers(0, 5))
def test_fewer_approvals_are_a_loss(before: int, after: int) -> None:
    texts = (f"  required_approving_review_count = {number}\n" for number in (before, after))
    assert bool(opened_gate(Edit("rules.tf", *texts))) is (after < before)
