"""Answers a query in a format, as pieces of bytes; or says that the client has the answer already."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Final

from ...engine.functions.sparql_calls import find_calls
from ...engine.knowledge import KnowledgeGraph
from ...errors import QueryTimeout, QueryTooLarge
from ...store.graph import StoreGraph
from ...store.queries.results import unknown_terms
from ...store.queries.serializing import Serialization, write_results
from ...store.sparql.datasets import Dataset, without_dataset
from ...store.sparql.reading import read_tokens
from ..holding import Held

MOST_BYTES: Final = 256 * 2**20
"""The longest answer. It is kept until it is sent, so that a query that fails late is still told as failed."""
_FORMS: Final = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
_TAG: Final = re.compile(r'(?:W/)?("[^"]*")|(\*)')


@dataclass
class Pieces:
    """A text of bytes as it was written."""

    held: list[bytes] = field(default_factory=list)
    size: int = 0

    def write(self, piece: bytes, /) -> int:
        """Takes one piece more. Raises QueryTooLarge past MOST_BYTES."""
        self.size += len(piece)
        if self.size > MOST_BYTES:
            raise QueryTooLarge(f"the answer has more than {MOST_BYTES // 2**20} MiB; narrow it, or LIMIT it")
        self.held.append(piece)
        return len(piece)

    def flush(self) -> None:
        """Every piece is there already."""


@dataclass(frozen=True)
class Query:
    """A query that was read. `dataset` is what it is about (None: all that there is), `calls` whether it calls the
    functions `rq:`, `is_steady` whether it gives the same as long as the store holds the same."""

    text: str
    dataset: Dataset | None
    offers: tuple[Offer, ...]
    calls: bool
    is_steady: bool

    def written(self, graph: StoreGraph, wanted: Serialization) -> Pieces:
        """Its answer in a format. Raises QueryError as `write_results` does, and QueryTooLarge."""
        pieces = Pieces()
        write_results(graph, self.text, wanted, pieces, self.dataset)
        return pieces

    def about(self, offer: Offer) -> tuple[str, ...]:
        """All that its answer depends on besides the store; nothing where it depends on more."""
        if not self.is_steady:
            return ()
        over = self.dataset
        return (offer.sent, self.text, *(map(str, (*over.default, "NAMED", *over.named)) if over is not None else ()))


@dataclass(frozen=True)
class Outcome:
    """An answer with its tag (empty where it may be another the next time), and what is `told` of the query; `pieces`
    is None where the client has it."""

    tag: str
    pieces: Pieces | None
    told: tuple[str, ...] = ()


def read_query(written: str, beside: Dataset | None) -> Query:
    """Reads a query; the dataset that is said beside it counts more than its own. Raises QueryError for what is none,
    or not allowed."""
    text, own = without_dataset(written)
    _, tokens = read_tokens(text)
    form = next(token.kind for token in tokens if token.kind in _FORMS)
    calls = bool(find_calls(text))
    is_steady = not calls and all(token.kind != "FUNCTION_0" for token in tokens)  # NOW, RAND, UUID, STRUUID
    return Query(text, beside or own, SOLUTIONS if form in ("SELECT", "ASK") else TRIPLES, calls, is_steady)


def answer(held: Held, query: Query, offer: Offer, known: Collection[str], seconds: float) -> Outcome:
    """The answer of a query that calls none of our functions, beside what else is read. Raises QueryTimeout after
    `seconds`, QueryTooLarge, and QueryError."""

    def read(graph: StoreGraph) -> Outcome:
        found = outcome(held, query.about(offer), known, lambda: query.written(graph, offer.wanted))
        return replace(found, told=unknown_terms(query.text, graph)) if found.pieces is not None else found

    return held.read(read, seconds=seconds)


async def answer_by_engine(held: Held, query: Query, offer: Offer, now: datetime, seconds: float) -> Outcome:
    """The answer of a query that calls functions of ours: they retrieve and extract, and what they find is kept. Raises
    as `answer` does."""

    loop = asyncio.get_running_loop()

    def begin(limit: asyncio.Timeout) -> None:
        with suppress(RuntimeError):  # nobody waits any more
            limit.reschedule(loop.time() + seconds)

    def run(known: KnowledgeGraph) -> Outcome:
        loop.call_soon_threadsafe(begin, limit)
        found = known.evaluated(query.text, lambda graph: query.written(graph, offer.wanted), now, seconds)
        return Outcome("", found.value, found.warnings)

    try:
        async with asyncio.timeout(None) as limit:  # from its beginning; what is retrieved and extracted counts, too
            return await held.do(run)
    except (QueryTimeout, TimeoutError) as bad:  # its words are those of the command line
        raise QueryTimeout(f"the query passed its limit of {seconds:g} s") from bad


def outcome(held: Held, about: tuple[str, ...], known: Collection[str], write: Callable[[], Pieces]) -> Outcome:
    """What `write` gives, unless the client knows it; to be called while the store is read."""
    tag = _tag(held.state, about)
    if tag and ("*" in known or tag in known):
        return Outcome(tag, None)
    pieces = write()
    return Outcome(tag if tag == _tag(held.state, about) else "", pieces)


def tags_in(header: str) -> frozenset[str]:
    """The tags of an If-None-Match header, without their marks of weakness, which do not count there."""
    return frozenset(found[1] or found[2] for found in _TAG.finditer(header))


def _tag(state: str, about: tuple[str, ...]) -> str:
    if not state or not about:
        return ""
    digest = sha256()
    for part in (state, *about):
        told = part.encode()
        digest.update(b"%d:" % len(told) + told)
    return f'"{digest.hexdigest()[:32]}"'


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
