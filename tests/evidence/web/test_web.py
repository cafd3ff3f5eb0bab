"""Hosts are what a browser would connect to, and imitations are told from their models."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.urls import host_of, is_domain_list, is_local, scheme_of, within
from supervisor.evidence.urls.look_alike import look_alike
from supervisor.evidence.urls.sites import domains_named_in, is_public_suffix, leaves_page, registrable_domain

HOSTS = {
    "https://Example.COM/path": "example.com",
    "https://bank.com@evil.com/": "evil.com",
    "https://bank.com:443@evil.com:8443/": "evil.com",
    "https://user@bank.com@evil.com": "evil.com",
    "https:\\\\evil.com\\bank.com": "evil.com",
    "https://evil.com\\@bank.com": "evil.com",
    "https:evil.com": "evil.com",
    "https:////evil.com/": "evil.com",
    "ht\ttps://ev\nil.com": "evil.com",
    "  https://evil.com  ": "evil.com",
    "//evil.com/x": "evil.com",
    "/\\evil.com": "evil.com",
    "example.com:8080/path": "example.com",
    "localhost:8000": "localhost",
    "https://example.com.": "example.com",
    "https://example.com?next=https://evil.com": "example.com",
    "https://example.com#@evil.com": "example.com",
    "https://b\u00fccher.de/": "xn--bcher-kva.de",
    "https://example\u3002com/": "example.com",
    "https://%65vil.com/": "evil.com",
    "http://127.0.0.1:80/": "127.0.0.1",
    "http://0x7f.1/": "127.0.0.1",
    "http://2130706433/": "127.0.0.1",
    "http://0177.0.0.1/": "127.0.0.1",
    "http://[::1]:8080/": "::1",
    "ftp://files.example.org/a": "files.example.org",
    "postgres://u:p@db.example.org/x": "db.example.org",
}


@pytest.mark.parametrize(("url", "host"), HOSTS.items())
def test_the_host_is_where_a_browser_connects(url, host):
    assert host_of(url) == host


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,hi",
        "mailto:a@b.com",
        "/relative",
        "#top",
        "?page=2",
        "",
        "https://",
        "https://a b.com/",
        "http://999.999.999.999/",
        "https://[nonsense]/",
        "https://" + "a" * 300 + ".com",
        "https://\u00ad/",
        "..",
    ],
)
def test_what_names_no_host_has_none(url):
    assert host_of(url) is None
    assert registrable_domain(url) is None


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("a.b.example.co.uk", "example.co.uk"),
        ("alice.github.io", "alice.github.io"),
        ("github.io", None),
        ("com", None),
        ("localhost", None),
        ("wiki.corp.internal", "corp.internal"),
        ("10.0.0.8", "10.0.0.8"),
    ],
)
def test_a_site_is_what_somebody_registered(host, domain):
    assert registrable_domain(host) == domain


def test_two_customers_of_one_host_are_two_sites():
    assert registrable_domain("alice.github.io") != registrable_domain("bob.github.io")
    assert registrable_domain("https://www.example.com") == registrable_domain("shop.example.com") == "example.com"
    assert registrable_domain("localhost:80") is None, "nobody registered it"


def test_a_listed_host_admits_what_lies_below_it_and_nothing_above_or_beside():
    assert within("https://pay.shop.example.com/x", "shop.example.com")
    assert within("https://example.com", "*.example.com")
    assert not within("https://example.com", "shop.example.com")
    assert not within("https://evilexample.com", "example.com")
    assert not within("https://example.com.evil.io", "example.com")


@pytest.mark.parametrize(
    "url", ["/cart", "cart/checkout", "#pay", "?page=2", "index.html", "./a", "../b", "about:blank"]
)
def test_relative_links_stay(url):
    assert not leaves_page(url)


@pytest.mark.parametrize(
    "url", ["//evil.com", "\\\\evil.com", "javascript:x()", "example.com/a", "https://a.b", "1.2.3.4/x"]
)
def test_absolute_links_may_leave(url):
    assert leaves_page(url)


def test_local_hosts():
    assert is_local("localhost")
    assert is_local("app.localhost")
    assert is_local("127.0.0.9")
    assert is_local("::1")
    assert not is_local("localhost.evil.com")
    assert not is_local("10.0.0.1")


def test_domains_named_in_a_task():
    text = "Log in at https://www.bank.co.uk/login (or bank.co.uk), mail ann@example.org; see setup.cfg, v1.2.3. Done."
    assert domains_named_in(text) == ["bank.co.uk", "example.org"]


@pytest.mark.parametrize(
    ("value", "good"),
    [
        (["a.com"], True),
        ((), True),
        ("a.com", False),
        ([1], False),
        ([""], False),
        (None, False),
        ({"a.com": 1}, False),
    ],
)
def test_a_list_of_domains_from_outside(value, good):
    assert is_domain_list(value) is good


@pytest.mark.parametrize("listed", ["com", "co.uk", "*.co.uk", "COM.", "*.com", "xn--p1ai"])
def test_a_public_suffix_bounds_nothing(listed):
    assert is_public_suffix(listed)


@pytest.mark.parametrize(
    "listed", ["example.com", "*.example.co.uk", "localhost", "intranet", "github.io", "10.0.0.1", "", "/"]
)
def test_what_somebody_owns_is_no_public_suffix(listed):
    assert not is_public_suffix(listed)


def test_hostile_lengths_are_cut():
    assert host_of("https://" + "a." * 100_000 + "com") is None
    assert domains_named_in("a." * 1_000_000) == []
    assert look_alike("https://" + "a" * 63 + ".com", ["b" * 63 + ".com"] * 100) is None


@given(st.text(max_size=200))
def test_any_text_is_read_without_a_crash(text):
    host = host_of(text)
    assert host is None or (host == host_of(host) and host == host.lower())
    registrable_domain(text)
    leaves_page(text)
    assert scheme_of(text) == scheme_of(text).lower()
    look_alike(text, ["example.com", text])


@pytest.mark.parametrize(
    "host",
    [
        "paypa1.com",
        "paypai.com",
        "p\u0430ypal.com",  # Cyrillic a
        "xn--pypal-4ve.com",
        "payp\u00e1l.com",
        "pyapal.com",
        "paypall.com",
        "paypal-login.com",
        "secure-paypal.net",
        "paypallogin.com",
        "paypal.com.account-check.io",
        "www.paypal.com-signin.io",
        "https://paypal.com@paypa1.com/",
    ],
)
def test_imitations_of_a_known_site(host):
    assert look_alike(host, ["github.com", "https://www.paypal.com/"]) == "paypal.com"


@pytest.mark.parametrize(
    "host",
    [
        "paypal.com",
        "www.paypal.com",
        "paypal.de",
        "paypal.co.uk",
        "paypalobjects.com",
        "example.org",
        "playful.com",
        "10.0.0.1",
        "localhost",
        "mypal.com",
        "javascript:paypal.com",
    ],
)
def test_other_sites_imitate_nothing(host):
    assert look_alike(host, ["paypal.com"]) is None


def test_letters_that_look_alike_together():
    assert look_alike("rnicrosoft.com", ["microsoft.com"]) == "microsoft.com"
    assert look_alike("vvikipedia.org", ["wikipedia.org"]) == "wikipedia.org"
    assert look_alike("mircosofft.com", ["microsoft.com"]) == "microsoft.com"
    assert look_alike("ibn.com", ["ibm.com"]) is None  # too short to tell a slip from another company
