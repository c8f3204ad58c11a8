"""The commands that find events without a question: RETRIEVE and EXTRACT alone, and what is related to an event."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Config, DomainGroup, Json, Now, Store

finding = typer.Typer(cls=DomainGroup)


@finding.command()
def retrieve(
    query: Annotated[str | None, typer.Argument(help="What to look for, e.g. 'dentist appointments'.")] = None,
    store: Store = None,
    as_json: Json = False,
    batch: Annotated[Path | None, typer.Option(help="A JSONL file of {id, query}.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where the batch's results go (JSONL).")] = None,
    config: Config = None,
) -> None:
    """Find the events that match a phrase (the RETRIEVE operator alone).

    \b
      reqap-kg retrieve "dentist appointments"
    """
    from .neural import retrieve_command

    retrieve_command(query, store, as_json, batch, out, config)


@finding.command()
def extract(
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="KEY...", help="Keys such as start_date, cuisine.")
    ] = None,
    query: Annotated[str | None, typer.Option(help="Which events, as in `retrieve`.")] = None,
    store: Store = None,
    as_json: Json = False,
    batch: Annotated[Path | None, typer.Option(help="A JSONL file of {id, event, key, type}.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where the batch's results go (JSONL).")] = None,
    config: Config = None,
) -> None:
    """Read values of keys from the events that match a phrase (the EXTRACT operator alone).

    \b
      reqap-kg extract start_date cuisine --query "I ate at a restaurant"
    """
    from .neural import extract_command

    extract_command(keys or [], query, store, as_json, batch, out, config)


@finding.command()
def related(
    event: Annotated[
        str, typer.Argument(metavar="EVENT", help="An event: its IRI, its id in its source, or words that only it has.")
    ],
    kind: Annotated[
        list[str] | None, typer.Option(help="Only events of this kind, e.g. mail; may be given several times.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="As of the event: nothing later than it counts as known about it.")
    ] = False,
    top: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 10,
    store: Store = None,
    now: Now = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Find what is related to an event: what tells of the same, of the same trip, what replies to it.

    The event is looked for together with what stands around it in the graph: what its keys lead to, the same day, the
    same people and places (docs/related.md). The last column says by which path, or that it is by words alone.

    \b
      reqap-kg related "Dinner at Nonna's"
      reqap-kg related 729 --kind mail --kind note
      reqap-kg related https://w3id.org/reqap-kg/data/calendar/42 --json
    """
    from .related import related_command

    related_command(event, kind or [], strict, top, store, now, config, as_json)
