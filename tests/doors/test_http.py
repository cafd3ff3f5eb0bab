"""The web door against a real server: what it fetches, and everywhere it does not go."""

from __future__ import annotations

import gzip
import socket
import ssl
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.doors import exchange
from supervisor.doors.addresses import is_allowed, is_public
from supervisor.doors.html_text import text_of
from supervisor.doors.http import Http
from supervisor.errors import DoorFailed
from supervisor.policy.doors import HttpDoor
from tests.doors.loopback import send, serving
from tests.evidence.effort import assert_linear

INSIDE = (
    *("127.0.0.1", "localhost", "2130706433", "0x7f.1", "0.0.0.0", "10.0.0.1", "192.168.1.1", "100.64.0.1"),
    *("169.254.169.254", "224.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[fe80::1]", "[fd00::1]", "[ff02::1]"),
    *("[64:ff9b::7f00:1]", "[2002:7f00:1::]"),
)
ZEROS = gzip.compress(bytes(50_000_000), compresslevel=9)


def respond(handler: BaseHTTPRequestHandler) -> None:
    match handler.path.strip("/").split("/"):
        case ["text"]:
            send(handler, b"plain words", content_type="text/plain")
        case ["html"]:
            send(handler, b"<title>T</title><p>one <b>t</b>wo &amp; three", content_type="text/html; charset=utf-8")
        case ["latin"]:
            send(handler, "<meta charset=iso-8859-1><p>caf\xe9".encode("latin-1"), content_type="text/html")
        case ["packed"]:
            send(handler, gzip.compress(b"unpacked"), content_type="text/plain", content_encoding="gzip")
        case ["bomb"]:
            send(handler, ZEROS, content_type="text/plain", content_encoding="gzip")
        case ["brotli"]:
            send(handler, b"\x0b", content_type="text/plain", content_encoding="br")
        case ["torn"]:
            send(handler, b"no gzip at all", content_type="text/plain", content_encoding="gzip")
        case ["image"]:
            send(handler, b"\x89PNG\0", content_type="image/png")
        case ["size", size]:
            send(handler, b"x" * int(size), content_type="text/plain")
        case ["status", status]:
            send(handler, b"sorry", int(status), content_type="text/plain")
        case ["host"]:
            send(handler, handler.headers["Host"].encode(), content_type="text/plain")
        case ["headers"]:
            send(handler, "\n".join(handler.headers).encode(), content_type="text/plain")
        case ["round"]:
            send(handler, b"", 302, location="/round")
        case ["to", *target]:
            send(handler, b"", 302, location="/".join(target))
        case ["chunks", count]:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * int(count))
            handler.wfile.write(b"0\r\n\r\n")
            handler.close_connection = True
        case ["headers", count]:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * int(count) + b"Content-Length: 0\r\n\r\n")
        case ["hints", count]:
            handler.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * int(count) + b"HTTP/1.1 200 OK\r\n")
            handler.wfile.write(b"Content-Length: 2\r\n\r\nso")
        case ["charset", charset]:
            send(handler, "日本語".encode(charset), content_type=f"text/plain; charset={charset}")
        case ["slow"]:
            time.sleep(0.5)
            send(handler, b"late", content_type="text/plain")
        case _:
            send(handler, b"", 404)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(respond) as port:
        yield port


def door(**settings: Any) -> Http:
    return Http(HttpDoor(**{"allow_private": ("127.0.0.1",), "timeout_ms": 5000, **settings}))


async def code_of(http: Http, url: str) -> str:
    with pytest.raises(DoorFailed) as failed:
        await http.fetch(url)
    return failed.value.code


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("path", "body"),
    [("text", "plain words"), ("packed", "unpacked"), ("latin", "café"), ("html", "T\none two & three")],
)
async def test_fetches_text(port: int, path: str, body: str) -> None:
    page = await door().fetch(f"http://127.0.0.1:{port}/{path}#part")
    assert (page.status, page.body) == (200, body)


@pytest.mark.anyio
@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "utf-16-le", "gb18030", "shift_jis"])
async def test_reads_character_sets(port: int, charset: str) -> None:
    assert (await door().fetch(f"http://127.0.0.1:{port}/charset/{charset}")).body == "日本語"


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["hints/10", "headers/90", "chunks/20"])
async def test_unusual_responses_are_read(port: int, path: str) -> None:
    assert (await door().fetch(f"http://127.0.0.1:{port}/{path}")).status == 200


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["headers/10000", "hints/10000"])
async def test_more_headers_than_anybody_needs_are_too_many(port: int, path: str) -> None:
    assert await code_of(door(), f"http://127.0.0.1:{port}/{path}") == "http_too_large"


@pytest.mark.anyio
async def test_a_body_in_many_pieces_holds_nobody_up(port: int) -> None:
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            await anyio.lowlevel.checkpoint()
            turns += 1

    async with anyio.create_task_group() as group:
        group.start_soon(turn)
        page = await door(timeout_ms=30_000).fetch(f"http://127.0.0.1:{port}/chunks/50000")
        group.cancel_scope.cancel()
    assert page.body == "x" * 50_000
    assert turns >= 250  # a turn for every 1,200 bytes, if not more


@pytest.mark.anyio
async def test_tells_the_status_and_where_the_redirects_ended(port: int) -> None:
    page = await door().fetch(f"http://127.0.0.1:{port}/to//status/410")
    assert (page.status, page.url, page.body) == (410, f"http://127.0.0.1:{port}/status/410", "sorry")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("bomb", "http_too_large"),
        ("size/1001", "http_too_large"),
        ("brotli", "http_encoding"),
        ("torn", "http_encoding"),
        ("image", "http_not_text"),
        ("round", "http_redirects"),
        ("to/file:///etc/passwd", "http_bad_url"),
        ("to/http://169.254.169.254/latest/meta-data", "http_forbidden"),
        ("to/http://user:word@127.0.0.1/", "http_bad_url"),
    ],
)
async def test_stops_at(port: int, path: str, code: str) -> None:
    assert await code_of(door(max_bytes=1000), f"http://127.0.0.1:{port}/{path}") == code


@pytest.mark.anyio
async def test_a_slow_server_ends_at_the_deadline(port: int) -> None:
    assert await code_of(door(timeout_ms=100), f"http://127.0.0.1:{port}/slow") == "http_timeout"


@pytest.mark.anyio
@pytest.mark.parametrize("host", INSIDE)
async def test_addresses_inside_the_house_are_forbidden(port: int, host: str) -> None:
    assert await code_of(door(allow_private=()), f"http://{host}:{port}/text") == "http_forbidden"


@pytest.mark.anyio
@pytest.mark.parametrize("url", ["ftp://example.org/", "/text", "http://", "http://a:b@example.org/", "x" * 5000])
async def test_what_is_no_web_address(url: str) -> None:
    assert await code_of(door(), url) == "http_bad_url"


@pytest.mark.anyio
async def test_a_port_that_nobody_listens_on() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        assert await code_of(door(), f"http://127.0.0.1:{unused.getsockname()[1]}/") == "http_unreachable"


@pytest.mark.anyio
async def test_sends_neither_cookies_nor_credentials(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    page = await door().fetch(f"http://127.0.0.1:{port}/headers")
    assert {name.lower() for name in page.body.split()} == {
        "host",
        "accept",
        "accept-encoding",
        "connection",
        "user-agent",
    }


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Makes names resolve to `answers`, one a lookup; returns the names asked for, as they are."""
    asked: list[str] = []
    left = list(answers)

    async def getaddrinfo(host: str, port: int | None, **_: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port or 0)) for address in left.pop(0)]

    monkeypatch.setattr(anyio, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.anyio
async def test_connects_to_the_address_that_was_checked(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolving(monkeypatch, ["127.0.0.1"])  # a second lookup would fail
    page = await door(allow_private=("shop.example",)).fetch(f"http://shop.example:{port}/host")
    assert page.body == f"shop.example:{port}"
    assert asked == ["shop.example"]


@pytest.mark.anyio
async def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["93.184.215.14", "10.0.0.1"])
    assert await code_of(door(allow_private=()), "http://shop.example/") == "http_forbidden"


@pytest.mark.anyio
async def test_a_redirect_is_checked_like_a_first_request(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["127.0.0.1"], ["127.0.0.1"])
    url = f"http://shop.example:{port}/to/http://rebound.example:{port}/text"
    assert await code_of(door(allow_private=("shop.example",)), url) == "http_forbidden"


@pytest.mark.anyio
async def test_the_certificate_must_name_the_host_and_not_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = certified(tmp_path, "shop.example")
    serving_tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving_tls.load_cert_chain(certificate, key)
    monkeypatch.setattr(exchange, "tls", lambda: ssl.create_default_context(cafile=str(certificate)))
    resolving(monkeypatch, ["127.0.0.1"], ["127.0.0.1"])
    with serving(respond, serving_tls) as port:
        page = await door().fetch(f"https://shop.example:{port}/text")
        assert page.body == "plain words"
        assert await code_of(door(), f"https://other.example:{port}/text") == "http_unreachable"


def certified(folder: Path, name: str) -> tuple[Path, Path]:
    """A self-signed certificate for `name`, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, none = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(pem))
    (folder / "key.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, none))
    return folder / "certificate.pem", folder / "key.pem"


def test_allowed_are_the_named_hosts_and_networks() -> None:
    assert is_allowed("wiki.internal", "10.1.2.3", ("WIKI.internal",))
    assert is_allowed("anything", "::ffff:10.1.2.3", ("10.0.0.0/8",))
    assert not is_allowed("evil-wiki.internal", "10.1.2.3", ("wiki.internal", "10.2.0.0/16"))
    with pytest.raises(ValueError, match="host bits"):
        HttpDoor(allow_private=("10.0.0.1/8",))


@given(st.ip_addresses(v=4))
def test_wrapping_an_address_does_not_make_it_public(address: Any) -> None:
    inner = int(address)
    for wrapped in (0xFFFF << 32 | inner, int("64ff9b", 16) << 96 | inner, 0x2002 << 112 | inner << 80):
        text = str(httpx.URL(f"http://[{socket.inet_ntop(socket.AF_INET6, wrapped.to_bytes(16, 'big'))}]/").host)
        assert not is_public(text) or is_public(str(address))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<script>var a = '<p>no'</script>yes", "yes"),
        ("<STYLE>p{}</STYLE ><p title='a > b'>yes", "yes"),
        ("a<!-- <p>no --> b", "a b"),
        ("soft&shy;ware &lt;b&gt; 1 < 2", "soft\xadware <b> 1 < 2"),
        ("<ul><li>one<li>two</ul>three<br/>four", "one\ntwo\nthree\nfour"),
        ("cut <p title='never closed", "cut"),
        ("cut <script>never closed", "cut"),
        ("cut <!-- never closed", "cut"),
    ],
)
def test_reads_the_words_of_html(markup: str, text: str) -> None:
    assert text_of(markup) == text


@pytest.mark.parametrize("piece", ["<", "<a", "<!--", "<a '", '<a "', "<script>", "&", "</", "<a 'b\">", "<!"])
def test_hostile_html_takes_linear_time(piece: str) -> None:
    assert_linear(text_of, lambda size: piece * (size // len(piece)), counted=10_000, ended=500_000)


@given(st.text(alphabet="<>/!-ab \"'&;\n"))
def test_any_markup_is_read(markup: str) -> None:
    assert "\n\n" not in text_of(markup)
