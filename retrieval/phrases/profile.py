"""What stands in the profile, by name: "profile of people my sister", "profile of jobs Tidewell", "profile of homes".

Rules ask for it so; no words of a question are read like this by chance. It costs no model.
"""

from __future__ import annotations

from typing import Final

from ...ontology.namespaces import EV
from ...operators.resolution import ClassMatch, Constraint
from ...store.words import normalise
from ..context import RetrieveContext
from ..retrieved import Retrieved

BEGIN: Final = "profile of "
KINDS: Final = {"people": "Person", "homes": "Residence", "jobs": "Job", "studies": "Education", "pets": "Pet"}
"""Classes of the profile by the word that names them in a query."""
_ID: Final = EV + "sourceId"
_QUERY: Final = """SELECT DISTINCT ?thing ?id ?value WHERE {
  ?thing a %s ; ev:sourceId ?id ; ?property ?value FILTER(isLiteral(?value)) } ORDER BY ?id"""


def profile_entries(query: str, context: RetrieveContext) -> Retrieved | None:
    """The entries of the profile that a query asks for; None for one that asks for something else, or for what the
    profile does not have."""
    kind, _, words = query.removeprefix(BEGIN).partition(" ")
    if not query.startswith(BEGIN) or kind not in KINDS:
        return None
    iri = EV + KINDS[kind]
    ids = _ids(iri, words, context)
    note = (f"the profile has {len(ids)} {kind}{f' of “{words}”' if words else ''}",)
    constraints = (Constraint(_ID, ids),) if words else ()
    return Retrieved(ClassMatch((iri,), constraints), note, named=(iri,)) if ids else None


def _ids(iri: str, words: str, context: RetrieveContext) -> tuple[str, ...]:
    """The entries of a class that have the words in a value, or are called so; all where there are none."""
    said = f" {normalise(words)} "
    called = {person.iri for person in context.people.meant(words)}
    found: dict[str, None] = {}
    for thing, key, value in context.graph.select(_QUERY % f"<{iri}>"):
        if thing is None or key is None or value is None:
            continue
        if not words or thing.value in called or (not called and said in f" {normalise(value.value)} "):
            found[key.value] = None
    return tuple(found)
