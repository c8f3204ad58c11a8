"""`reqap-kg chat`: questions one after the other, each of which may lean on those before."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from ..engine.answers.answer import Answer
from ..engine.answers.sentence import SHOWN
from ..engine.asking.guide import names_in
from ..engine.asking.planned import DIALOG
from ..engine.conversation.conversation import asked
from ..engine.conversation.dialogue import Dialogue
from ..engine.conversation.turns import UNDO, Turn, answer_of, followed, offered
from ..engine.knowledge import KnowledgeGraph
from ..errors import ReqapError
from ..store.words import nearest_name
from .answer_files import TERMINAL, Files, save_table
from .chat_input import Source, prompted
from .common import settings, store_directory, time_of
from .opening import lent, opened_dialogue
from .printing.answers import print_answer, print_evidence, print_question, read_as
from .printing.console import block, err_is_terminal, out_is_terminal, print_table, query, say
from .printing.progress import status_line

GREETING: Final = "Ask a question; later ones may lean on it (“and in 2023?”). /help lists commands, /quit leaves."
_MOST_SHOWN = 5
_MOST_DIGITS = 9


def chat_command(store: Path | None, now: str | None, config: Path | None, *, keep: bool = True) -> None:
    """Reads questions from the terminal or from standard input until they end or `/quit`."""
    folder = store_directory(store)
    chosen = settings(config)
    chosen = chosen if keep else chosen.model_copy(update={"keep_dialogue": False})
    at_terminal = sys.stdin.isatty() and out_is_terminal()
    with ExitStack() as stack:
        line = stack.enter_context(status_line(visible=err_is_terminal()))
        dialogue = stack.enter_context(opened_dialogue(folder, chosen, line.progress))
        tell = line.tell if err_is_terminal() else None
        chat = Chat(dialogue.known, lambda: time_of(now), line.doing, tell, kept=dialogue, echo=not at_terminal)
        say(kept_where(dialogue), err=not at_terminal)
        if at_terminal:
            say(GREETING)
        held = lent.get()
        if held is not None and held.chat is not None:
            held.chat(chat)
        else:
            chat.run(chat.typed() if at_terminal else (text.rstrip("\n") for text in sys.stdin))


def kept_where(dialogue: Dialogue) -> str:
    """What is kept of a chat, where, and how to have it otherwise."""
    if not dialogue.keeps:
        return f"Nothing of this chat is kept{': the store may only be read' if dialogue.only_reads else ''}."
    switches = "--no-keep keeps none, /forget deletes them"
    return f"Questions and answers are kept in {dialogue.journal.path}, apart from your data ({switches})."


@dataclass
class Chat:
    """A running chat: its turns, and the commands that show what is behind the last answer.

    `doing` shows that something is being worked on; `tell` hears the steps of a question, as they are known.
    """

    known: KnowledgeGraph
    now: Callable[[], datetime]
    doing: Callable[[str], AbstractContextManager[None]]
    tell: Callable[[str, str], None] | None = None
    turns: tuple[Turn, ...] = field(default=())
    kept: Dialogue | None = None
    """Where what is said is stored."""
    echo: bool = False
    """Whether lines are printed before their answers."""

    @property
    def history(self) -> Path | None:
        """The file that keeps what was typed."""
        return self.kept.journal.history if self.kept is not None and self.kept.keeps else None

    @property
    def names(self) -> list[str]:
        """Names that may be typed."""
        return list(names_in(self.known.graph, self.known.vocabulary))

    def typed(self) -> Source:
        """Lines as they are typed at the terminal."""
        names = self.names
        return prompted(self.history, tuple(COMMANDS), lambda: names)

    def run(self, lines: Iterable[str]) -> None:
        """Answers line after line."""
        for line in lines:
            if not self.hear(line):
                return

    def hear(self, line: str) -> bool:
        """Answers a line; whether the chat goes on."""
        text = line.strip()
        if not text:
            return True
        if self.echo:
            say(f"> {text}")
        if text in ("/quit", "/exit"):
            return False
        self.say(text)
        say()
        return True

    def say(self, text: str) -> None:
        """Answers a question or obeys a command."""
        if not text.startswith("/"):
            if text.lower() in UNDO and self._last_reply():
                _undo(self)
            else:
                self._ask(text)
            return
        name, _, rest = text.partition(" ")
        if name in OF_ANSWERS:
            answer = self.last()
            if answer is not None:
                OF_ANSWERS[name][1](self, answer, rest.strip())
        elif name in OF_CHATS:
            OF_CHATS[name][1](self)
        else:
            near = nearest_name(name, COMMANDS)
            say(f"there is no {name}; {f'did you mean {near}? ' if near else ''}/help lists commands")

    def _ask(self, question: str) -> None:
        if self.kept is not None:
            self.kept.hear(question, now=self.now())
        try:
            with self.doing("reading the question"):
                turn = asked(self.known, question, self.turns, now=self.now(), tell=self.tell)
        except KeyboardInterrupt:
            say("stopped")
            return
        self.turns = followed(self.turns, turn)
        if self.kept is not None:
            self.kept.say(turn, now=self.now())
        _print_turn(turn, self.known, self.now())

    def _last_reply(self) -> bool:
        """Whether the last answer asks something, or is what a reply left."""
        answer = self.turns[-1].answer if self.turns else None
        return answer is not None and (answer.dialog is not None or answer.planner == DIALOG)

    def last(self) -> Answer | None:
        """The answer that commands are about."""
        found = next((turn.answer for turn in reversed(self.turns) if turn.answer is not None), None)
        if found is None:
            say("nothing was answered yet")
        return found


def _print_turn(turn: Turn, known: KnowledgeGraph, now: datetime) -> None:
    for leaning in turn.leans_on:
        say(leaning.told)
    if turn.how:
        say(f"read as: {turn.resolved}")
    if turn.answer is None:
        told = answer_of(turn, known, now)
        say(told.text if told is not None else f"failed: {turn.failure}")
        return
    print_answer(turn.answer, SHOWN, "/events shows all")
    if turn.answer.planner == DIALOG:
        say(f"read as: {read_as(turn.answer)}")
    for warning in turn.answer.warnings:
        say(f"warning: {warning}")
    for part in turn.answer.each:
        print_evidence(part, _MOST_SHOWN, more="/events shows them")
    if turn.answer.dialog is not None:
        print_question(turn.answer.dialog)
    offer = offered(turn)
    if offer:
        say(offer)


def _why(_chat: Chat, answer: Answer, _rest: str) -> None:
    if answer.resolved:
        say(f"“{answer.question}” was read as “{answer.resolved}”")
    for rule, question in answer.steps:
        say(f"  {rule}: {question}")
    for note in (*answer.notes, *answer.keys):
        say(f"note: {note}")
    say(f"planned by {answer.planner}, score {answer.score:.2f}; {answer.timings_ms.get('total', 0):,.0f} ms")


def _plan(_chat: Chat, answer: Answer, _rest: str) -> None:
    for part in answer.each:
        block(part.plan)


def _sparql(_chat: Chat, answer: Answer, _rest: str) -> None:
    for part in answer.each:
        query(part.sparql)


def _events(_chat: Chat, answer: Answer, rest: str) -> None:
    for part in answer.each:
        print_evidence(part, int(rest) if rest.isdecimal() and len(rest) <= _MOST_DIGITS else None)
    if not any(part.events for part in answer.each):
        say("the answer rests on no event")


def _table(chat: Chat, answer: Answer, rest: str) -> None:
    if not rest:
        say("expected a file: /table runs.csv (or .json, .parquet, .xlsx)")
        return
    try:
        save_table(answer, chat.known, Path(rest).expanduser())
    except ReqapError as bad:
        say(f"failed: {bad}")


def _chart(chat: Chat, answer: Answer, rest: str) -> None:
    try:
        block(Files(chart=rest or TERMINAL).write(answer, chat.known, quiet=False).lines)
    except ReqapError as bad:
        say(f"failed: {bad}")


def _new(chat: Chat) -> None:
    chat.turns = ()
    say("a new conversation: what was asked before is no longer leaned on")


def _undo(chat: Chat) -> None:
    if not chat.turns:
        say("nothing was asked yet")
        return
    gone, chat.turns = chat.turns[-1], chat.turns[:-1]
    last = f"“{chat.turns[-1].question}” is the last question now" if chat.turns else "nothing is leaned on now"
    say(f"“{gone.question}” is taken back: {last}")
    before = chat.turns[-1].answer if chat.turns else None
    if before is not None and before.dialog is not None:
        say(before.dialog.text)
        print_question(before.dialog)


def _forget(chat: Chat) -> None:
    chat.turns = ()
    if chat.kept is not None and chat.kept.keeps:
        chat.kept.forget()
        say("what was asked in this chat is deleted; `reqap-kg forget --dialogues` deletes all chats")
    else:
        say("nothing was kept; what was asked before is no longer leaned on")


def _help(_chat: Chat) -> None:
    print_table([("command", "does"), *((name, does) for name, (does, _) in COMMANDS.items())])


OF_ANSWERS: Final[dict[str, tuple[str, Callable[[Chat, Answer, str], None]]]] = {
    "/why": ("how the last question was read: rules, notes, keys", _why),
    "/plan": ("its operator tree", _plan),
    "/sparql": ("the query that was run", _sparql),
    "/events": ("the events that the answer rests on; /events 20 for the first 20", _events),
    "/chart": ("draws the answer; /chart runs.svg (or .png, .vl.json) into a file", _chart),
    "/table": ("writes the rows behind the answer: /table runs.csv (or .json, .parquet, .xlsx)", _table),
}
"""What each command that is about the last answer does; what stands behind it is handed on."""
OF_CHATS: Final[dict[str, tuple[str, Callable[[Chat], None]]]] = {
    "/undo": ("takes the last question back: the next does not lean on it", _undo),
    "/new": ("begins a new conversation, which leans on nothing before", _new),
    "/forget": ("the same, and deletes what is kept of this chat", _forget),
    "/help": ("lists commands", _help),
    "/quit": ("leaves", lambda _: None),
}
"""What each other command does."""
COMMANDS: Final = {**OF_ANSWERS, **OF_CHATS}
