"""Finds the format that a client wants most among those that there are (RFC 9110, section 12.5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ...store.queries.serializing import Serialization

_UTF_8: Final = "; charset=utf-8"


@dataclass(frozen=True)
class Offer:
    """A format, by the media type that a client may ask it as; `sent` is the content type of the response."""

    asked_as: str
    wanted: Serialization
    sent: str


def _offer(wanted: Serialization, asked_as: str = "", sent: str = "") -> Offer:
    named = asked_as or wanted.value
    is_text = named.startswith("text/")
    return Offer(named, wanted, sent or (named + _UTF_8 if is_text else named))


SOLUTIONS: Final = (
    _offer(Serialization.JSON),
    _offer(Serialization.XML),
    _offer(Serialization.CSV),
    _offer(Serialization.TSV),
    _offer(Serialization.JSON, "application/json"),
    _offer(Serialization.XML, "application/xml"),
)
"""Formats of SELECT and ASK, the first where a client has no preference."""
TRIPLES: Final = (
    _offer(Serialization.TURTLE),
    _offer(Serialization.N_TRIPLES),
    _offer(Serialization.RDF_XML),
    _offer(Serialization.RDF_XML, "application/xml"),
)
"""Formats of CONSTRUCT and DESCRIBE. None for datasets: neither says anything of graphs."""
DESCRIPTION: Final = (*TRIPLES[:3], _offer(Serialization.TURTLE, "text/html", "text/plain" + _UTF_8))
"""Formats of the description of the service; a browser shows what is plain."""

_QUALITY: Final = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")


def chosen(offers: Sequence[Offer], accept: str) -> Offer | None:
    """The offer that an Accept header likes best, the first of equals; None where it takes none of them."""
    if not accept.strip():
        return offers[0]
    ranges = dict(_ranges(accept))
    best = max(offers, key=lambda offer: _quality(offer.asked_as, ranges))
    return best if _quality(best.asked_as, ranges) > 0 else None


def _quality(media_type: str, ranges: dict[str, float]) -> float:
    """How much a media type is liked: what names it most closely says."""
    for named in (media_type, media_type.partition("/")[0] + "/*", "*/*"):
        if named in ranges:
            return ranges[named]
    return 0.0


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    """The media types of the header with their quality. One that is badly written is left out."""
    for part in accept.split(","):
        named, *parameters = (piece.strip().lower() for piece in part.split(";"))
        said = next((one.removeprefix("q=") for one in parameters if one.startswith("q=")), "1")
        if _QUALITY.fullmatch(said):
            yield named, float(said)
