"""What a change of a configuration opens, against a small model: a side of a policy, a list of addresses, a source."""

from __future__ import annotations

import yaml
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.configuration import MOVED, Fault, read, worsened

_RULES = st.lists(st.sampled_from([{}, {"from": [{"podSelector": {"matchLabels": {"app": "a"}}}]}]), max_size=3)


@given(_RULES, _RULES)
def test_a_policy_is_opened_if_it_named_whom_and_lets_all_in(before, after):
    texts = (yaml.safe_dump({"spec": {"podSelector": {}, "ingress": rules}}) for rules in (before, after))
    old, new = (read("policy.yaml", text) for text in texts)
    assert old is not None
    assert new is not None
    is_opened = any(before) and {} not in before and {} in after
    assert any(fact.fault is Fault.OPEN for fact in worsened(old, new)) == is_opened


_ADDRESSES = st.lists(st.sampled_from(["10.0.0.0/8", "192.0.2.7/32", "0.0.0.0/0", "::/0"]), max_size=3)


@given(_ADDRESSES, _ADDRESSES)
def test_a_list_of_addresses_is_opened_if_it_named_some_and_holds_all(before, after):
    old, new = (read("a.yaml", yaml.safe_dump({"source_ranges": each})) for each in (before, after))
    assert old is not None
    assert new is not None
    everybody = {"0.0.0.0/0", "::/0"}
    is_opened = bool(before) and not everybody & set(before) and bool(everybody & set(after))
    assert any(fact.key.endswith("every address") for fact in worsened(old, new)) == is_opened


_OWNERS = st.sampled_from(["shop", "somebody", "other"])
_HOSTS = st.sampled_from(["github.com", "git.shop.example"])


@given(st.tuples(_HOSTS, _OWNERS), st.tuples(_HOSTS, _OWNERS))
def test_a_source_has_moved_if_its_owner_is_another_at_a_host_of_everybody(before, after):
    old, new = (read("a.yaml", f"repoURL: https://{host}/{owner}/app.git\n") for host, owner in (before, after))
    assert old is not None
    assert new is not None
    is_moved = before != after and after[0] == "github.com"
    assert any(fact.key.startswith(MOVED) for fact in worsened(old, new)) == is_moved
