"""`bench.generate --verbalise`: a model's wording lands where it still says all, and nowhere else."""

from __future__ import annotations

import json
import mailbox
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.bench.generate import program
from reqap_kg.bench.lives.accounts import Account
from reqap_kg.bench.lives.build import Life, build
from reqap_kg.bench.lives.standing import stands
from reqap_kg.bench.lives.verbalising import PATIENCE, verbalised
from reqap_kg.cli.app import run
from reqap_kg.config import LanguageModel
from reqap_kg.models.planning.language import AddressModel

from ...chat_server import Chat, chat

TEXTS = ("mail", "note", "social_media")
ADDED = "it really was so, believe me"


@lru_cache(maxsize=1)
def life() -> Life:
    """The beginning of a short life, with a log of several lines."""
    whole = build("p1", 9, 60, datetime(2025, 10, 1, 12))
    written = [account for account in whole.accounts if account.shown["source"] in TEXTS]
    return replace(whole, accounts=written[:40])


def told(body: dict[str, Any]) -> str:
    """The text that the model is given."""
    return body["messages"][-1]["content"]


def reworded(body: dict[str, Any]) -> list[str]:
    """A harmless wording: every line says a little more."""
    return ["\n".join(f"{line} {ADDED}" if line else line for line in told(body).split("\n"))]


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def command(folder: Path, address: str | None) -> list[str]:
    """A tiny benchmark with that address."""
    config = folder.parent / f"{folder.name}.toml"
    config.write_text(f'[language_model]\naddress = "{address}"\nseconds = 5\n' if address else "", encoding="utf-8")
    small = ["--personas", "1", "--events", "60", "--questions", "2", "--seed", "9"]
    return [str(folder), *small, "--verbalise", "--config", str(config)]


def of(answer: Callable[[dict[str, Any]], list[str]], **server: Any) -> tuple[Life, Any, Chat]:
    """The life as verbalised by a server that answers so."""
    with chat(answer, **server) as known:
        model = AddressModel(LanguageModel(address=known.address, samples=1, seconds=5))
        return *verbalised(life(), model.complete), known


def text_of(account: Account) -> str:
    """What is written in an observable."""
    return account.shown["text"]


def texts(one: Life) -> list[str]:
    """What is written in a life."""
    return [account.shown["text"] for account in one.accounts if account.shown["source"] in TEXTS]


def test_an_accepted_wording_lands_in_observables_and_exports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat(reworded) as server:
        assert run(command(tmp_path / "b", server.address), program) == 0
    shown = capsys.readouterr().out
    made = tmp_path / "b" / "test" / "p1"
    observed = [row for row in rows(made / "observables.jsonl") if row["source"] in TEXTS]
    changed = [row for row in observed if ADDED in row["text"]]
    assert len(server.requests) == len(observed)
    assert len(changed) > len(observed) / 2
    assert f"{len(changed)} texts in the model's words; {len(observed) - len(changed)} kept" in shown
    counts = json.loads((tmp_path / "b" / "benchmark.json").read_text(encoding="utf-8"))["verbalised"]["p1"]
    assert counts == {"accepted": len(changed), "refused": len(observed) - len(changed), "unanswered": 0}
    mails = [mail.get_payload(decode=True) for mail in mailbox.mbox(made / "exports" / "mail.mbox")]
    assert sum(ADDED.encode() in bytes(mail) for mail in mails) == sum(r["source"] == "mail" for r in changed)
    posts = (made / "exports" / "outbox.json").read_text(encoding="utf-8")
    assert (ADDED in posts) == any(row["source"] == "social_media" for row in changed)


def test_all_else_of_the_life_stays() -> None:
    changed, counts, _ = of(reworded)
    assert counts.accepted > 0
    assert list(changed.links()) == list(life().links())
    assert [{**a.shown, "text": ""} for a in changed.accounts] == [{**a.shown, "text": ""} for a in life().accounts]


@pytest.mark.parametrize(
    "hostile",
    [
        lambda _: [],
        lambda _: [""],
        lambda _: ["Nice day."],
        lambda body: [told(body) + " and so on" * 2_000],
        lambda body: [f"**{told(body)}**"],
        lambda body: [f"```\n{told(body)}\n```"],
        lambda body: [f"{told(body)} <script>alert()</script>"],
        lambda body: [f"{told(body)} see https://x.example"],
        lambda body: [f"{told(body)}\u202e"],
        lambda body: [f"{told(body)}\ud800"],
        lambda body: [f"{told(body)}\x00"],
        lambda body: [f"{told(body)} It cost 777."],
        lambda body: [f"{told(body)} This was in Zanzibar."],
    ],
)  # fmt: skip
def test_a_hostile_answer_leaves_the_texts(hostile: Callable[[dict[str, Any]], list[str]]) -> None:
    changed, counts, _ = of(hostile)
    assert texts(changed) == texts(life())
    assert (counts.accepted, counts.unanswered) == (0, 0)
    assert counts.refused == len(texts(life()))


def test_a_wording_without_one_of_the_values_does_not_stand() -> None:
    dropped = 0
    for account in life().accounts:
        if account.shown["source"] not in TEXTS:
            continue
        old = account.shown["text"]
        if not all(v.casefold() in old.casefold() for group in account.stated for v in group):
            continue
        assert stands(old, account, life().persona)
        for value in {v for group in account.stated for v in group}:
            without = re.sub(re.escape(value), "something", old, flags=re.IGNORECASE)
            assert not stands(without, account, life().persona), (value, old)
            dropped += 1
        for number in set(re.findall(r"\d+", old)):
            assert not stands(old.replace(number, "9" + number), account, life().persona)
    assert dropped > 20


def test_the_lines_of_a_log_keep_their_places() -> None:
    many = build("p1", 9, 4_000, datetime(2025, 10, 1, 12))
    logs = [account for account in many.accounts if len(account.stated) > 1]
    assert logs
    for account in logs:
        lines = account.shown["text"].split("\n")
        assert stands("\n".join(f"{line} ok" for line in lines), account, many.persona)
        assert not stands("\n".join(lines[::-1]), account, many.persona)
        assert not stands(" ".join(lines), account, many.persona)


def test_what_did_not_happen_stays_undone() -> None:
    certain = [
        account
        for account in life().accounts
        if not re.search(r"\b(no|not|never|call|cancel|post)|n['’]t", text_of(account), re.I)
    ]
    standing = [account for account in certain if stands(text_of(account), account, life().persona)]
    assert standing
    for account in standing:
        denied = account.shown | {"text": f"{text_of(account)} but it was called off"}
        assert not stands(denied["text"], account, life().persona)
        assert not stands(text_of(account), replace(account, shown=denied), life().persona)


def test_errors_leave_the_texts_and_the_model_is_not_asked_for_ever() -> None:
    changed, counts, server = of(reworded, status=500)
    assert texts(changed) == texts(life())
    assert (counts.accepted, counts.refused, counts.unanswered) == (0, 0, len(texts(life())))
    assert len(server.requests) == PATIENCE


def test_the_prompt_names_what_must_stand_and_whose_voice_it_is() -> None:
    _, _, server = of(reworded)
    asked = [server.messages(place) for place in range(len(server.requests))]
    accounts = [account for account in life().accounts if account.shown["source"] in TEXTS]
    for (system, user), account in zip(asked, accounts, strict=True):
        assert user["content"] == account.shown["text"]
        assert account.shown.get("sender", life().persona.name) in system["content"]
        assert all(value in system["content"] for group in account.stated for value in group)


def test_without_a_model_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command(tmp_path / "b", None), program) != 0
    assert "[language_model] address" in capsys.readouterr().err
    assert not (tmp_path / "b").exists()
