"""The typer application: every command's module is imported only when the command runs, so --help stays fast."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .bench.bench_app import bench
from .care.care_app import care
from .ending import ran
from .finding_app import finding
from .models_app import models
from .options import (
    All,
    ChartFile,
    Config,
    DemoStore,
    DomainGroup,
    Events,
    Explain,
    Json,
    Limit,
    Now,
    Store,
    TableFile,
    Version,
)
from .rules.domain_app import domain
from .rules.rules_app import rules
from .serving_app import serving

app = typer.Typer(
    name="reqap-kg",
    cls=DomainGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="""Answers questions about your own life from your own data exports, on this machine.

    \b
    Begin with:
      reqap-kg demo                                   a life to try it on
      reqap-kg ingest ~/Downloads/my_spotify_data.zip  your own exports
      reqap-kg ask "How many songs did I listen to last month?"
    """,
)


@app.callback()
def _whole(version: Version = False) -> None:
    """Options before the command's name."""


@app.command()
def ingest(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH...", help="Files, folders or zips of exports; a domain needs none."),
    ] = None,
    store: Store = None,
    mapping: Annotated[Path | None, typer.Option(help="Your own RML map (Turtle) for these files.")] = None,
    source: Annotated[str | None, typer.Option(help="Name for the source; the same name later replaces it.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and map everything, change nothing.")] = False,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Replace a source though most of it goes by that, or the format is another."),
    ] = False,
    index: Annotated[
        bool, typer.Option("--index/--no-index", help="Read texts ahead, so that the first question need not wait.")
    ] = True,
    now: Now = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Import exports. The format is recognised by content; importing the same export twice adds nothing.

    A newer export of the same source replaces the older one. One that is of another format, or lacks more than half of
    what the source has now, does not: --source NAME imports it beside, --replace takes the loss. What cannot be read
    is reported with file and place, and kept out. `reqap-kg status --skipped` lists it later.

    \b
      reqap-kg ingest ~/Downloads/my_spotify_data.zip calendar.ics
      reqap-kg ingest birds.csv --mapping birds.ttl --dry-run
    """
    from .data import ingest_command

    ingest_command(paths or [], store, mapping, source, dry_run, replace, now, config, as_json, index)


@app.command()
def index(store: Store = None, config: Config = None, as_json: Json = False) -> None:
    """Read the texts of the store ahead, after `ingest --no-index` or with other models in the configuration.

    What was read before is kept: only new texts are read. Without it the first question over text does what it needs.

    \b
      reqap-kg index
    """
    from .data import index_command

    index_command(store, config, as_json)


@app.command()
def status(
    store: Store = None,
    validate: Annotated[bool, typer.Option("--validate", help="Check every event against the SHACL shapes.")] = False,
    skipped: Annotated[bool, typer.Option("--skipped", help="List the records that were kept out, and why.")] = False,
    derived: Annotated[
        bool, typer.Option("--derived", help="List what was found out and is kept: searches, values read from texts.")
    ] = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Show what the store holds: sources, kinds of events, the time they span, how much was found out from them.

    What one search, one reading of texts or one join found is kept and reused until something changes that it depends
    on, and is taken out by `reqap-kg forget --derived`. --derived lists it; --json says what each depends on.

    \b
      reqap-kg status --skipped
      reqap-kg status --derived
    """
    from .data import status_command

    status_command(store, validate, skipped, derived, config, as_json)


@app.command()
def doctor(
    store: Store = None,
    repair: Annotated[bool, typer.Option("--repair", help="Mend what is damaged, and say what is lost.")] = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Read everything in the store and say what is not as it was written.

    With --repair, indexes and caches are made anew from the events, and the events from the copies that the store keeps
    of them. Exit code 1: something is damaged, or was lost and must be imported again.

    \b
      reqap-kg doctor
      reqap-kg doctor --repair
    """
    from .data import doctor_command

    doctor_command(store, repair, config, as_json)


@app.command()
def ask(
    question: Annotated[str | None, typer.Argument(help="The question, in English.")] = None,
    store: Store = None,
    now: Now = None,
    as_json: Json = False,
    explain: Explain = False,
    events: Events = 1000,
    plan: Annotated[str | None, typer.Option(help="Run this operator tree instead of planning the question.")] = None,
    context: Annotated[
        Path | None,
        typer.Option(help="Earlier turns, which the question may lean on: a JSON list, or one a line."),
    ] = None,
    batch: Annotated[Path | None, typer.Option(help="A JSONL file of {id, question, now?, context?}.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where the batch's answers go (JSONL).")] = None,
    limit: Limit = None,
    everything: All = False,
    table: TableFile = None,
    chart: ChartFile = None,
    config: Config = None,
) -> None:
    """Answer a question, with the evidence and the query that produced it.

    With a context, "And in 2023?" is answered as the self-contained question that it means, which is shown. Turns are
    questions, {question, answer?}, or {speaker, text}.

    Exit code 3: understood, and the data has nothing of it; 4: not understood. --json then has the answer_type "none"
    and a reason: nothing_matches, no_such_data, not_understood or asks_why.

    \b
      reqap-kg ask "Which artist did I listen to most in 2024?"
      reqap-kg ask "How far did I run each month?" --chart -
      reqap-kg ask "What did I buy in 2024?" --table purchases.xlsx
      reqap-kg ask --batch questions.jsonl --out answers.jsonl
    """
    from .answer_files import Files
    from .asking import ask_command
    from .printing.answers import Shown

    shown, events = Shown.of(limit, everything), 0 if everything else events
    ask_command(
        question, store, now, as_json, explain, events, plan, batch, out, config, context, shown, Files(table, chart)
    )


@app.command()
def chat(
    store: Store = None,
    now: Now = None,
    config: Config = None,
    keep: Annotated[
        bool, typer.Option("--keep/--no-keep", help="Whether this chat is kept. The setting is keep_dialogue.")
    ] = True,
) -> None:
    """Ask one question after the other; each may lean on those before ("and in 2023?", "when was that?").

    Follow-ups are shown as the self-contained question that they are read as, and the questions that they lean on.
    /why, /plan, /sparql and /events show what is behind the last answer, /undo takes the last question back, /new
    begins anew, /help lists commands. Questions may also come from a pipe.

    What is asked and answered is kept in dialogue.jsonl in the store's folder (what is typed in chat-history), so that
    you can ask later what you asked. It is apart from your data: only questions like "What did I ask you
    yesterday?" read it. --no-keep, or keep_dialogue = false in the settings, keeps nothing; /forget deletes what is
    kept of this chat, `reqap-kg forget --dialogues` all of it.

    \b
      reqap-kg chat
      reqap-kg chat < questions.txt
    """
    from .chat import chat_command

    chat_command(store, now, config, keep=keep)


@app.command()
def plan(
    question: Annotated[str, typer.Argument(help="The question, in English.")],
    store: Store = None,
    now: Now = None,
    as_json: Json = False,
    parse_graph: Annotated[
        bool, typer.Option("--parse-graph", help="Print what was recognised, as Turtle, and draw it.")
    ] = False,
    top: Annotated[
        int | None,
        typer.Option(
            "--top", min=1, metavar="K", help="Show the K likeliest trees, each with what its score is made of."
        ),
    ] = None,
    config: Config = None,
) -> None:
    """Show the operator tree that a question becomes, without running it.

    Scores weigh confidence, complexity and selectivity; their weights are [ranking] in the configuration.

    \b
      reqap-kg plan "How many runs did I do in 2024?" --top 3
    """
    from .asking import plan_command

    plan_command(question, store, now, as_json, parse_graph, top, config)


@app.command("run")
def run_(
    tree: Annotated[str | None, typer.Argument(metavar="TREE", help="An operator tree in text form.")] = None,
    file: Annotated[Path | None, typer.Option("-f", "--file", help="Read the tree from this file.")] = None,
    store: Store = None,
    now: Now = None,
    as_json: Json = False,
    explain: Explain = False,
    events: Events = 1000,
    limit: Limit = None,
    everything: All = False,
    config: Config = None,
) -> None:
    """Run an operator tree.

    The text form is that of docs/operators.md; what language models write slightly wrong is put right by named rules,
    and said. Exit code 2: the tree was refused, with line and column; 3: it found nothing.

    \b
      reqap-kg run 'APPLY(l=RETRIEVE(query="my runs"), fct=len)'
    """
    from .asking import run_command
    from .printing.answers import Shown

    events = 0 if everything else events
    run_command(tree, file, store, now, as_json, explain, events, config, Shown.of(limit, everything))


for commands in (finding, serving, care):
    app.add_typer(commands)


@app.command()
def sparql(
    query: Annotated[str | None, typer.Argument(help="SPARQL 1.1; the project's prefixes are declared.")] = None,
    file: Annotated[Path | None, typer.Option("-f", "--file", help="Read the query from this file.")] = None,
    format: Annotated[str, typer.Option("--format", help="table, json, csv, tsv or turtle.")] = "table",
    timeout: Annotated[float | None, typer.Option(help="Time limit in seconds.")] = None,
    store: Store = None,
    now: Now = None,
    config: Config = None,
) -> None:
    """Query the store in SPARQL. Reads only: no SERVICE, no updates.

    Two functions read what no triple says (docs/derivations.md):

    \b
      rq:matches(?event, "I ate Italian food")   whether an event is meant, as by `reqap-kg retrieve`
      rq:extract(?event, "cuisine")              a value of an event, as by `reqap-kg extract`; a third
                                                 argument is its type: "float", "date", …

    \b
      SELECT ?cuisine (COUNT(*) AS ?n) {
        ?e ev:start ?t FILTER(rq:matches(?e, "I ate at a restaurant"))
        BIND(rq:extract(?e, "cuisine") AS ?cuisine) } GROUP BY ?cuisine

    \b
      reqap-kg sparql "SELECT ?song { ?e ev:songName ?song } LIMIT 5" --format csv
    """
    from .query import sparql_command

    sparql_command(query, file, format, timeout, store, now, config)


@app.command("map")
def map_(
    mapping: Annotated[Path, typer.Argument(metavar="MAP.ttl", help="An RML map with its own file sources.")],
    base: Annotated[str | None, typer.Option(help="Base IRI for relative IRIs.")] = None,
) -> None:
    """Run an RML map and print its N-Quads.

    \b
      reqap-kg map birds.ttl > birds.nq
    """
    from .map_command import map_command

    raise typer.Exit(map_command(mapping, base))


for group, called in ((rules, "rules"), (domain, "domain"), (models, "models"), (bench, "bench")):
    app.add_typer(group, name=called)


@app.command()
def demo(
    question: Annotated[str | None, typer.Argument(help="A question about the demo life.")] = None,
    store: DemoStore = None,
    as_json: Json = False,
    explain: Explain = False,
    open_: Annotated[bool, typer.Option("--open", help="Open the page over the demo life in a browser.")] = False,
    *,
    ctx: typer.Context,
) -> None:
    """Import the demo life that ships with reqap-kg, once, and answer a question about it, at the time when it ends.

    Without a question, some are suggested. At a terminal its texts are read ahead after the first answer, which takes
    half a minute to a minute. Your own store is not touched, and --domain is not for the demo life.

    \b
      reqap-kg demo "Which artist did I listen to most in 2024?"
      reqap-kg demo --open
    """
    from .demo import demo_command, open_command

    if open_:
        open_command(ctx.find_root().command, question, store)
    else:
        demo_command(question, store, as_json, explain)


def run(arguments: list[str], program: typer.Typer = app, name: str = "reqap-kg") -> int:
    """Runs one command line and returns its exit code; what goes wrong is said in a sentence, or as JSON."""
    return ran(typer.main.get_command(program), arguments, name)
