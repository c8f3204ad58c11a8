"""Who may ask, and how much."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final

from ...config.parts import Service

OPEN_PATHS: Final = frozenset({"/api/health"})
"""What is answered without a token: it says nothing but that the service runs."""
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
"""What names this machine for itself."""
_PORT_OF_HTTP: Final = 80


@dataclass(frozen=True)
class Access:
    """Who may ask: whoever has the token (None: everybody), at one of the `hosts` (as in the Host header), with a
    browser from a page of the service's own or of one of the `origins`."""

    token: str | None = field(repr=False)
    hosts: frozenset[str]
    origins: frozenset[str] = frozenset()
    any_address: bool = False
    """Whether it listens at all addresses of this machine: it may then be asked at the one that a request came to."""
    request_bytes: int = 2**20
    requests_per_minute: int = 600
    address_characters: int = 16_384
    """The longest path with its query: a question of 1,000 signs, each percent-encoded, fits."""
    body_seconds: float = 10.0
    """Time in which a whole body comes."""

    @classmethod
    def of(cls, token: str | None, host: str, port: int, service: Service) -> Access:
        """The access to a service that listens at `host` and `port`, by its settings."""
        names = {in_address(name).lower() for name in (*LOOPBACK, host)}
        hosts = {f"{name}:{port}" for name in names} | (names if port == _PORT_OF_HTTP else set())
        return cls(
            token=token,
            hosts=frozenset(hosts),
            origins=frozenset(origin.rstrip("/").lower() for origin in service.origins),
            any_address=_is_any(host),
            request_bytes=service.request_bytes,
            requests_per_minute=service.requests_per_minute,
        )


def in_address(host: str) -> str:
    """A host as addresses name it: one of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def _is_any(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:  # a name
        return False
