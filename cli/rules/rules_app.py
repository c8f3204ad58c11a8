"""The commands of `reqap-kg rules`; what they do is in `rules`, imported when one of them runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import Config, DomainGroup, Json, Now, Store

rules = typer.Typer(
    cls=DomainGroup,
    no_args_is_help=True,
    help="Patterns and rules of your own: list, check, test, explain, draft (docs/authoring.md).",
)
Files = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILE...", help="Turtle files, or folders of them. Default: those of the domain."),
]


@rules.command("check")
def check(files: Files = None, config: Config = None, as_json: Json = False) -> None:
    """Check patterns and rules together with the shipped ones, as a compiler does: line, column, what is wrong.

    Exit code 2 where there is an error; warnings tell of what most likely does not work as meant. Without files, all of
    the domain's folder is checked, as `reqap-kg domain check` does.

    \b
      reqap-kg rules check festival.ttl
    """
    from .rules import check_command

    check_command(files or [], config, as_json)


@rules.command("test")
def try_cases(files: Files = None, store: Store = None, config: Config = None, as_json: Json = False) -> None:
    """Try the cases: questions with the trees that they must become.

    Those in the files and in the domain's questions.ttl; without any, those of the shipped rules. A domain is tried
    over its own data, other cases without data, or over --store. Exit code 1 where a case fails.

    \b
      reqap-kg rules test festival.ttl
    """
    from .rules import test_command

    test_command(files or [], store, config, as_json)


@rules.command("explain")
def explain(
    question: Annotated[str, typer.Argument(help="The question.")],
    store: Store = None,
    now: Now = None,
    rule: Annotated[str | None, typer.Option(help="Say all about this rule or pattern, by its local name.")] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Show which rules fired on a question, which almost did, and what was missing.

    \b
      reqap-kg rules explain "How many runs did I do in 2024?"
    """
    from .rules import explain_command

    explain_command(question, store, now, rule, config, as_json)


@rules.command("new")
def new(
    from_: Annotated[str, typer.Option("--from", metavar="QUESTION", help="An example question.")],
    tree: Annotated[str, typer.Option(help="The tree that it shall become, in text form.")],
    name: Annotated[str | None, typer.Option(help="Name for the pattern and the rule.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the draft, and its case, to this file.")] = None,
    store: Store = None,
    now: Now = None,
    config: Config = None,
) -> None:
    """Draft a pattern and a rule from one example; with other values the question becomes the tree with these.

    \b
      reqap-kg rules new --from "runs in 2024" --tree 'RETRIEVE(query="my runs")' --out runs.ttl
    """
    from .rules import new_command

    new_command(from_, tree, name, out, store, now, config)


@rules.command("list")
def list_(
    config: Config = None,
    patterns: Annotated[bool, typer.Option("--patterns", help="List the patterns, too.")] = False,
    as_json: Json = False,
) -> None:
    """List the rules in the order in which they are tried, with what they wait for.

    \b
      reqap-kg rules list --patterns
    """
    from .rules import list_command

    list_command(config, patterns, as_json)
