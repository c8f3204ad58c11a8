"""Where a remote store is: `sparql+https://host/query?name=mine`, and what lets one in.

    sparql+http://localhost:7878/query              a server of this machine
    sparql+https://host/ds/sparql?name=anna         one of several stores of a server
    sparql+https://host/sparql?in-place=yes         a graph that is there already, answered over as it is, read-only
    …&graph=IRI                                     of which these graphs alone (may be said several times)
    …&update=/ds/update&data=/ds/data               where updates and the graph store protocol are, if not where usual

The address never holds a password.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urljoin, urlsplit

from ...errors import UsageError

_ADDRESS: Final = re.compile(r"sparql\+(https?):/{1,2}(?=[^/])")
_NAME: Final = re.compile(r"[\w-]{1,40}", re.ASCII)
_EXPECTED: Final = "sparql+https://host/path, such as sparql+http://localhost:7878/query"
_KNOWN: Final = frozenset({"name", "in-place", "graph", "update", "data"})
_ENDINGS: Final = {"query": ("update", "store"), "sparql": ("update", "data")}
"""By how the address of queries ends: where updates and graphs usually are beside it."""


@dataclass(frozen=True)
class Address:
    """The addresses of a server's protocols, and which of its graphs are meant. `text` is the address as given."""

    text: str
    query: str
    update: str
    data: str
    name: str = "store"
    in_place: bool = False
    graphs: tuple[str, ...] = ()


def read_address(text: str) -> Address:
    """What an address says. Raises UsageError for one that is none, or that holds a password."""
    found = _ADDRESS.match(text)
    if found is None:
        raise UsageError(f"{text!r} is no address of a store; expected {_EXPECTED}")
    parts = urlsplit(f"{found[1]}://{text[found.end() :]}")
    if parts.username or parts.password:
        raise UsageError("a store's address holds no user or password: set REQAP_KG_SPARQL_USER and _PASSWORD")
    if not parts.hostname or parts.fragment:
        raise UsageError(f"{text!r} is no address of a store; expected {_EXPECTED}")
    said = parse_qs(parts.query, keep_blank_values=True)
    unknown = sorted(said.keys() - _KNOWN)
    if unknown:
        raise UsageError(f"the address of a store has no {unknown[0]!r}; expected {', '.join(sorted(_KNOWN))}")
    name = said.get("name", ["store"])[-1]
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name of a store; expected letters, digits, - and _")
    query = f"{parts.scheme}://{parts.netloc}{parts.path or '/query'}"
    update, data = _ENDINGS.get(query.rpartition("/")[2], ("update", "data"))
    if query.endswith("/sparql") and parts.path.count("/") == 1:  # Virtuoso has all at one place
        update, data = "sparql-auth", "sparql-graph-crud-auth"
    return Address(
        text,
        query,
        urljoin(query, said.get("update", [update])[-1]),
        urljoin(query, said.get("data", [data])[-1]),
        name,
        said.get("in-place", ["no"])[-1] in ("yes", "true", "1", ""),
        tuple(said.get("graph", ())),
    )
