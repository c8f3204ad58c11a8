"""Texts of a life said in other words by a language model, where these still say all that the text must.

The paper lets a large language model verbalise events (Appendix B.1). Here the grammar writes first, so that what a
text expresses is known; a model's wording takes its place only if it stands (`standing.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from ...errors import ModelUnreachable
from .accounts import Account
from .build import Life
from .persona import Persona
from .standing import needed, stands

if TYPE_CHECKING:
    from jinja2 import Template

Complete = Callable[[Sequence[dict[str, str]]], list[str]]
"""Answers to a conversation. Raises ModelUnreachable."""
PATIENCE: Final = 5
"""Requests in a row without an answer after which the model is not asked again."""
_KINDS: Final = {"mail": "a mail", "note": "a note to oneself", "social_media": "a post"}


@dataclass(frozen=True)
class Reworded:
    """How many texts have the model's words, how many kept the grammar's because its words would not do, and how many
    because it did not answer."""

    accepted: int
    refused: int
    unanswered: int


def verbalised(life: Life, complete: Complete) -> tuple[Life, Reworded]:
    """The life with its mails, notes and posts in the model's words where those will do; asked in order of time."""
    counts: Counter[str] = Counter()
    accounts, silent = list[Account](), 0
    for account in life.accounts:
        source = account.shown["source"]
        if source not in _KINDS or not account.shown["text"].strip():
            accounts.append(account)
            continue
        text = _answer(account, life.persona, complete) if silent < PATIENCE else None
        silent = silent + 1 if text is None else 0
        good = text is not None and stands(text, account, life.persona)
        counts["unanswered" if text is None else "accepted" if good else "refused"] += 1
        accounts.append(replace(account, shown=account.shown | {"text": text}) if good else account)
    return replace(life, accounts=accounts), Reworded(counts["accepted"], counts["refused"], counts["unanswered"])


def _answer(account: Account, persona: Persona, complete: Complete) -> str | None:
    try:
        answers = complete(_messages(account, persona))
    except ModelUnreachable:
        return None
    return answers[0].replace("\r\n", "\n").strip() if answers else ""


def _messages(account: Account, persona: Persona) -> list[dict[str, str]]:
    shown = account.shown
    writer = str(shown.get("sender") or persona.name)
    prompt = _prompt().render(
        writer=writer,
        persona=persona if writer == persona.name else None,
        kind=_KINDS[shown["source"]],
        lines=len(account.stated),
        keep=list(dict.fromkeys(value for group in needed(account, persona) for value in group)),
    )
    return [{"role": "system", "content": prompt}, {"role": "user", "content": shown["text"]}]


@lru_cache(maxsize=1)
def _prompt() -> Template:
    from jinja2 import Environment, StrictUndefined

    text = (files("reqap_kg.templates") / "prompts" / "verbalise.j2").read_text(encoding="utf-8")
    return Environment(undefined=StrictUndefined, autoescape=False, trim_blocks=True).from_string(text)  # noqa: S701 - prompts are no pages
