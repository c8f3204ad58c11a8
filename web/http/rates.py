"""How often one address may ask."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import monotonic
from typing import Final

_WINDOW_SECONDS: Final = 60.0
_NETWORK_BITS: Final = 64


class Rates:
    """Counts requests by address; a minute begins with an address's first request."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = per_minute
        self._clock = clock
        self._counts: dict[str, tuple[float, int]] = {}

    def wait(self, address: str) -> int:
        """Counts a request; the seconds after which the next is answered, 0 where this one is."""
        now, who = self._clock(), _network(address)
        self._forget(now)
        begun, count = self._counts.get(who, (now, 0))
        self._counts[who] = (begun, count + 1)
        return max(1, ceil(begun + _WINDOW_SECONDS - now)) if count >= self._most else 0

    def _forget(self, now: float) -> None:
        """Drops minutes that are over; those that began first stand first."""
        while self._counts:
            first = next(iter(self._counts))
            if now - self._counts[first][0] < _WINDOW_SECONDS:
                return
            del self._counts[first]


def _network(address: str) -> str:
    """Who asks: of IPv6 the network, as one machine has all addresses of it."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:  # no address: a client without a socket
        return address
    if isinstance(known, IPv6Address) and not known.is_loopback:
        return str(int(known) >> _NETWORK_BITS)
    return str(known)
