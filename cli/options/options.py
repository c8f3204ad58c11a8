"""The options that several commands have, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Store = Annotated[
    Path | None,
    typer.Option("--store", envvar="REQAP_KG_STORE", help="Folder of the store. Default: your user data folder."),
]
DemoStore = Annotated[
    Path | None,
    typer.Option("--store", help="Folder of the demo life's store, apart from yours. Default: your user cache folder."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Config = Annotated[
    Path | None,
    typer.Option("--config", envvar="REQAP_KG_CONFIG", help="Settings in TOML (home_zone, encoder, limits, …)."),
]
Explain = Annotated[
    bool,
    typer.Option(
        "--explain",
        help="Show the tree with the rows and the time of each operator, what was reused, the SPARQL and the evidence.",
    ),
]
Events = Annotated[
    int, typer.Option("--events", min=0, help="How many of the events behind the answer to look up; 0 for all.")
]
Now = Annotated[
    str | None,
    typer.Option("--now", help="The time of asking, e.g. 2025-03-01T12:00:00. Default: the clock."),
]
