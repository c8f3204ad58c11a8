"""Who is let in by HTTP: hosts, pages, tokens, sizes, rates; what every response is headed with."""

from __future__ import annotations

import asyncio
import logging
import re
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from reqap_kg.config import Settings
from reqap_kg.config.parts import Service
from reqap_kg.web.holding import Held
from reqap_kg.web.http.access import Access
from reqap_kg.web.http.guarding import Rates, application
from reqap_kg.web.http.tokens import COOKIE, cookie_value

TOKEN = "a-token-that-nobody-guesses"
HOST = "127.0.0.1:7378"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
PAGE = "http://localhost:3000"
NAVIGATED = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none", "Accept": "text/html"}
ERRORS: list[BaseException] = []


async def _echo(request: Request) -> Response:
    return PlainTextResponse(f"{request.url.path}?{request.url.query} {len(await request.body())}")


async def _fails(_: Request) -> Response:
    raise ERRORS[0]


@pytest.fixture
def logger(caplog):
    caplog.set_level(logging.DEBUG)
    return logging.getLogger("test.http")


@pytest.fixture
def asked(tmp_path: Path, logger: logging.Logger):
    """Sends one request to the application and gives the response."""

    def ask(
        path: str = "/x", method: str = "GET", *, headers: Mapping[str, str] | None = None, **more
    ) -> httpx.Response:
        access = more.pop("access", None) or _access(**more.pop("settings", {}))
        noticed = more.pop("noticed", lambda: None)
        routes = [Route(p, _echo, methods=["GET", "POST"]) for p in ("/", "/x", "/api/health", "/evil.com/a")]
        held = Held(tmp_path / "store", Settings())
        made = application(held, access, [*routes, Route("/fails", _fails)], logger=logger, noticed=noticed)
        return _sent(made, method, path, headers or {}, more)

    return ask


def _sent(made, method: str, path: str, headers: Mapping[str, str], more: dict) -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app=made, client=("10.1.2.3", 1))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            return await client.request(method, path, headers=headers, **more)

    return asyncio.run(send())


def _access(token: str | None = TOKEN, host: str = "127.0.0.1", **settings) -> Access:
    return Access.of(token, host, 7378, Service(**settings))


@pytest.mark.parametrize("host", [HOST, "localhost:7378", "LOCALHOST:7378", "[::1]:7378"])
def test_it_answers_at_names_of_this_machine(asked, host):
    assert asked(headers={**BEARER, "Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example:7378", "127.0.0.1", "127.0.0.1:80", "localhost.:7378", "192.168.1.5:7378", "", "0.0.0.0:7378"],
)
def test_other_hosts_are_refused_token_or_not(asked, host):
    found = asked(headers={**BEARER, "Host": host})
    assert (found.status_code, found.json()["reason"]) == (421, "host")
    assert asked("/api/health", headers={"Host": host}).status_code == 421


def test_the_host_that_it_listens_at_is_one_of_its_own(asked):
    named = {**BEARER, "Host": "192.168.1.5:7378"}
    assert asked(headers=named, access=_access(host="192.168.1.5")).status_code == 200
    assert asked(headers=named, access=_access(host="192.168.1.6")).status_code == 421


def test_a_service_at_all_addresses_answers_at_the_one_that_was_called_but_at_no_name(asked):
    access = _access(host="0.0.0.0")
    assert access.any_address
    made = {**BEARER, "Host": "evil.example:7378"}
    assert asked(headers=made, access=access).status_code == 421
    assert asked(headers={**BEARER, "Host": HOST}, access=access).status_code == 200
    assert asked("http://192.168.1.5:7378/x", headers=BEARER, access=access).status_code == 200
    assert asked("http://[fe80::1]:7378/x", headers=BEARER, access=access).status_code == 200
    assert asked("http://192.168.1.5:7378/x", headers=BEARER).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://{HOST}.evil.example"},
        {"Origin": "http://localhost:7378"},
        {"Origin": PAGE},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "anything"},
        {"Origin": f"http://{HOST}", "Sec-Fetch-Site": "cross-site"},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_pages_of_others_are_refused(asked, method, headers):
    cookie = {"Cookie": f"{COOKIE}={cookie_value(TOKEN)}"}
    found = asked(method=method, headers={**cookie, **headers})
    assert (found.status_code, found.json()["reason"]) == (403, "origin")
    assert "access-control-allow-origin" not in found.headers


@pytest.mark.parametrize("name", ["Origin", "Sec-Fetch-Site"])
def test_a_page_has_one_origin(asked, name):
    own = {"Origin": f"http://{HOST}", "Sec-Fetch-Site": "same-origin"}
    twice = [*BEARER.items(), (name, own[name]), (name, own[name])]
    assert asked(headers=twice).status_code == 403  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": f"http://{HOST}", "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}],
)
def test_pages_of_its_own_are_let_in(asked, headers):
    assert asked(method="POST", headers={**BEARER, **headers}).status_code == 200


def test_without_a_configured_origin_a_preflight_is_refused(asked):
    headers = {"Origin": PAGE, "Access-Control-Request-Method": "POST"}
    found = asked(method="OPTIONS", headers=headers)
    assert found.status_code == 403
    assert not [name for name in found.headers if name.startswith("access-control")]


def test_a_configured_origin_may_ask_by_its_exact_name(asked):
    settings = {"origins": (PAGE,)}
    headers = {"Origin": PAGE, "Access-Control-Request-Method": "POST", "Sec-Fetch-Site": "same-site"}
    told = asked(method="OPTIONS", headers=headers, settings=settings)
    assert told.status_code == 204
    assert told.headers["access-control-allow-origin"] == PAGE
    assert "authorization" in told.headers["access-control-allow-headers"]
    assert "POST" in told.headers["access-control-allow-methods"]
    assert "access-control-allow-credentials" not in told.headers
    found = asked(headers={**BEARER, "Origin": PAGE, "Sec-Fetch-Site": "same-site"}, settings=settings)
    assert (found.status_code, found.headers["access-control-allow-origin"]) == (200, PAGE)
    assert found.headers["vary"] == "Origin"
    assert asked(headers={"Origin": PAGE}, settings=settings).status_code == 401
    for other in ("http://localhost:3001", "https://localhost:3000", PAGE + ".evil.example"):
        refused = asked(method="OPTIONS", headers={**headers, "Origin": other}, settings=settings)
        assert refused.status_code == 403
        assert "access-control-allow-origin" not in refused.headers


@pytest.mark.parametrize(
    "shown",
    [
        f"Bearer {TOKEN}",
        f"bearer  {TOKEN}",
        "Basic " + b64encode(f"me:{TOKEN}".encode()).decode(),
        "Basic " + b64encode(f":{TOKEN}".encode()).decode(),
    ],
)
def test_the_token_lets_in(asked, shown):
    assert asked(headers={"Authorization": shown}).status_code == 200


@pytest.mark.parametrize(
    "shown",
    [
        None,
        "Bearer",
        "Bearer wrong",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        "Bearer é",
        TOKEN,
        f"Digest {TOKEN}",
        "Basic !!!",
        "Basic " + b64encode(TOKEN.encode()).decode(),
        "Basic " + b64encode(f"{TOKEN}:".encode()).decode(),
    ],
)
def test_nothing_else_lets_in(asked, shown):
    found = asked(headers={} if shown is None else {"Authorization": shown.encode("latin-1")})
    assert (found.status_code, found.json()["reason"]) == (401, "token")
    challenges = found.headers.get_list("www-authenticate")
    assert [told.partition(" ")[0] for told in challenges] == ["Bearer", "Basic"]
    assert TOKEN not in found.text + str(found.headers)


def test_a_wrong_header_is_not_made_up_for_by_a_cookie(asked):
    cookie = f"{COOKIE}={cookie_value(TOKEN)}"
    assert asked(headers={"Cookie": cookie}).status_code == 200
    assert asked(headers={"Cookie": cookie, "Authorization": "Bearer wrong"}).status_code == 401
    assert asked(headers={"Cookie": f"{COOKIE}={TOKEN}"}).status_code == 401


def test_the_token_is_compared_in_constant_time(asked, monkeypatch):
    compared = []
    monkeypatch.setattr("hmac.compare_digest", lambda a, b: compared.append((a, b)) or a == b)
    assert asked(headers=BEARER).status_code == 200
    assert set(compared) == {(TOKEN.encode(), TOKEN.encode())}


def test_without_a_token_everybody_is_let_in_and_health_always_is(asked):
    assert asked(access=_access(token=None)).status_code == 200
    assert asked("/api/health").status_code == 200
    assert asked("/api/healthy").status_code == 401


def test_a_browser_that_opens_the_address_with_the_token_gets_a_cookie_and_the_address_without(asked):
    found = asked(f"/x?a=1%202&token={TOKEN}&b=", headers=NAVIGATED)
    assert (found.status_code, found.headers["location"]) == (303, "/x?a=1%202&b=")
    cookie = found.headers["set-cookie"]
    name, *flags = [part.strip() for part in cookie.split(";")]
    assert sorted(flag.lower() for flag in flags) == ["httponly", "path=/", "samesite=strict"]
    assert TOKEN not in cookie + found.text + found.headers["location"]
    again = asked(found.headers["location"], headers={**NAVIGATED, "Cookie": name})
    assert (again.status_code, again.text) == (200, "/x?a=1%202&b= 0")


def test_behind_tls_the_cookie_is_secure(asked):
    headers = {**NAVIGATED, "X-Forwarded-Proto": "https"}
    assert "secure" in asked(f"/x?token={TOKEN}", headers=headers).headers["set-cookie"].lower()


@pytest.mark.parametrize("path", ["//evil.com/a", "/%5Cevil.com/a", "///evil.com/a", "/%2F/evil.com/a"])
def test_the_redirect_leads_nowhere_else(asked, path):
    found = asked(f"http://{HOST}{path}?token={TOKEN}", headers=NAVIGATED)
    assert found.status_code == 303
    assert re.match(r"/[^/\\]", found.headers["location"])


@pytest.mark.parametrize(
    ("method", "query", "headers"),
    [
        ("GET", f"token={TOKEN}", {"Accept": "application/json"}),
        ("GET", f"token={TOKEN}", {"Sec-Fetch-Mode": "cors", "Accept": "text/html"}),
        ("GET", f"token={TOKEN}", BEARER),
        ("POST", f"token={TOKEN}", NAVIGATED),
        ("GET", "token=wrong", NAVIGATED),
        ("GET", f"token={TOKEN}&token={TOKEN}", NAVIGATED),
        ("GET", f"to%6ben={TOKEN}x", NAVIGATED),
    ],
)
def test_an_address_with_the_token_is_for_browsers_alone(asked, method, query, headers):
    found = asked(f"/x?{query}", method, headers=headers)
    assert found.status_code == 401
    assert TOKEN not in found.text + str(found.headers)


def test_the_token_stands_in_no_log_and_in_no_text_of_its_access(asked, caplog):
    asked(f"/x?token={TOKEN}", headers=NAVIGATED)
    ERRORS[:] = [RuntimeError("no")]
    asked("/fails", headers=BEARER)
    logged = "".join(f"{one.getMessage()} {one.exc_text}" for one in caplog.records if one.name != "httpx")
    assert "failed unexpectedly" in logged
    assert TOKEN not in logged + repr(_access())


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [("/x", BEARER, 200), ("/x", {}, 401), ("/none", BEARER, 404), ("/fails", BEARER, 500), ("/api/health", {}, 200)],
)
def test_every_response_is_headed(asked, path, headers, status):
    ERRORS[:] = [RuntimeError("no")]
    found = asked(path, headers=headers)
    assert found.status_code == status
    assert "default-src 'none'" in found.headers["content-security-policy"]
    assert "script-src" not in found.headers["content-security-policy"]
    assert found.headers["x-content-type-options"] == "nosniff"
    assert found.headers["referrer-policy"] == "no-referrer"
    assert found.headers["cross-origin-resource-policy"] == "same-origin"
    assert found.headers["x-frame-options"] == "DENY"
    assert found.headers["cache-control"] == "no-store"


def test_a_body_has_a_limit_stated_or_not(asked):
    settings = {"request_bytes": 1_000}

    async def pieces():
        for _ in range(11):
            yield b"x" * 100

    assert asked(method="POST", headers=BEARER, settings=settings, content=b"x" * 1_000).text.endswith(" 1000")
    for content in (b"x" * 1_001, pieces()):
        found = asked(method="POST", headers=BEARER, settings=settings, content=content)
        assert (found.status_code, found.json()["reason"]) == (413, "size")


def test_an_address_has_a_limit(asked):
    assert asked("/x?q=" + "a" * 16_000, headers=BEARER).status_code == 200
    found = asked("/x?q=" + "a" * 17_000, headers=BEARER)
    assert (found.status_code, found.json()["reason"]) == (414, "address")


def test_an_address_may_ask_so_often_and_again_after_a_minute(tmp_path, logger):
    held = Held(tmp_path / "store", Settings())
    made = application(held, _access(requests_per_minute=3), [Route("/x", _echo)], logger=logger)

    async def statuses(address: str, times: int) -> list[httpx.Response]:
        transport = httpx.ASGITransport(app=made, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            return [await client.get("/x", headers=BEARER) for _ in range(times)]

    found = asyncio.run(statuses("10.0.0.1", 4))
    assert [one.status_code for one in found] == [200, 200, 200, 429]
    assert 0 < int(found[-1].headers["retry-after"]) <= 60
    assert [one.status_code for one in asyncio.run(statuses("10.0.0.2", 1))] == [200]


def test_strangers_take_no_requests_from_those_who_have_the_token(tmp_path, logger):
    held = Held(tmp_path / "store", Settings())
    made = application(held, _access(requests_per_minute=2), [Route("/x", _echo)], logger=logger)
    found = [_sent(made, "GET", "/x", {"Authorization": "Bearer wrong"}, {}).status_code for _ in range(3)]
    assert found == [401, 401, 429]
    assert _sent(made, "GET", "/x", BEARER, {}).status_code == 200


def test_rates_are_counted_by_the_minute_and_network_and_forgotten():
    now = [0.0]
    rates = Rates(2, lambda: now[0])
    assert [rates.wait("2001:db8::1"), rates.wait("2001:db8::2"), rates.wait("2001:db8::3")] == [0, 0, 60]
    assert rates.wait("2001:db9::1") == 0
    now[0] = 59.5
    assert rates.wait("2001:db8::1") == 1
    now[0] = 60.0
    assert rates.wait("2001:db8::1") == 0
    assert len(rates._counts) == 1


def test_who_is_let_in_is_noticed_and_others_are_not(asked):
    noticed: list[bool] = []
    asked(headers={}, noticed=lambda: noticed.append(True))
    assert not noticed
    asked(headers=BEARER, noticed=lambda: noticed.append(True))
    assert noticed
