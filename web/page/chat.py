"""The addresses of conversations: a page of one, and what is said in it.

GET  /chat              a new one, kept as the settings say
GET  /chat?talk=NAME    one that runs
POST /chat              something is said: the page again, or the turn alone where htmx asks
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Any, Final
from urllib.parse import parse_qs, quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ...engine.answers.answer import Answer
from ...engine.answers.headline import headline_of
from ...engine.conversation.dialogue import Dialogue
from ...engine.conversation.turns import UNDO, Turn, answer_of, offered
from ...engine.knowledge import KnowledgeGraph
from ...errors import ReqapError, UsageError
from ...planner.patterns.limits import check_question
from ..http.problems import problem_of
from .ask.asked import MOST_TURNS, Asked, Said
from .frame.pages import Pages

_MOST: Final = 32
_MOST_TURNS: Final = 200
_NAME_BYTES: Final = 12
COMMANDS: Final = {
    "/undo": "takes the last question back",
    "/new": "begins anew: nothing before is leaned on",
    "/forget": "the same, and deletes what is kept of this chat",
}
_LONGEST_NAME: Final = 40
_MOST_REPLIES: Final = 12


@dataclass(frozen=True)
class Turned:
    """A turn with its answer, or that of a question that was declined, and when it was asked."""

    turn: Turn
    answer: Answer | None
    at: datetime


@dataclass
class Talk:
    """One conversation. `dialogue` is made when something is said for the first time."""

    name: str
    keep: bool
    turned: list[Turned] = field(default_factory=list[Turned])
    dialogue: Dialogue | None = None

    def over(self, known: KnowledgeGraph, directory: Path) -> Dialogue:
        """The dialogue, over the store as it is open now."""
        if self.dialogue is None:
            self.dialogue = Dialogue.over(known, directory, keep=self.keep)
        self.dialogue.known = known
        return self.dialogue

    def say(self, text: str, known: KnowledgeGraph, directory: Path, now: datetime) -> Turned | None:
        """What is answered to a text; None for a command. Raises UsageError for one that there is not, and for a text
        that is too long."""
        dialogue = self.over(known, directory)
        if text.startswith("/") or (text.lower() in UNDO and self.turned):
            self._obey(text.lower() if text.startswith("/") else "/undo", dialogue)
            return None
        check_question(text)
        if len(self.turned) >= _MOST_TURNS:
            raise UsageError(f"a conversation has at most {_MOST_TURNS} turns: /new begins another")
        turn = dialogue.ask(text, now=now)
        self.turned.append(Turned(turn, answer_of(turn, known, now), now))
        return self.turned[-1]

    def _obey(self, command: str, dialogue: Dialogue) -> None:
        if command == "/undo":
            self.turned = self.turned[:-1]
            dialogue.turns = dialogue.turns[:-1]
        elif command == "/new":
            self.turned, dialogue.turns = [], []
        elif command == "/forget":
            self.turned = []
            dialogue.forget()
        else:
            raise UsageError(f"there is no {command.split()[0]}; there are {', '.join(COMMANDS)}")


class Talks:
    """Conversations by their names; those that were used longest ago are left."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, Talk] = OrderedDict()
        self._guard = Lock()

    def begun(self, *, keep: bool) -> Talk:
        """A new one."""
        talk = Talk(token_urlsafe(_NAME_BYTES), keep)
        with self._guard:
            self._held[talk.name] = talk
            while len(self._held) > _MOST:
                self._held.popitem(last=False)
        return talk

    def named(self, name: str) -> Talk | None:
        """The one of this name, if it still runs."""
        with self._guard:
            if name in self._held:
                self._held.move_to_end(name)
            return self._held.get(name)


@dataclass(frozen=True)
class Chat:
    """Answers requests about conversations."""

    pages: Pages
    talks: Talks

    async def page(self, request: Request) -> Response:
        """The page of a conversation; without a name, that of a new one."""
        name = request.query_params.get("talk", "")[:_LONGEST_NAME]
        keep = request.query_params.get("keep", "yes") != "no" and self.pages.held.settings.keep_dialogue
        talk = self.talks.named(name) if name else None
        if talk is None:
            return RedirectResponse(_address(self.talks.begun(keep=keep)), 303)
        return self.pages.shown(request, "chat/page.html.j2", part="ask", **self._values(talk))

    async def say(self, request: Request) -> Response:
        """What is answered to a text."""
        given = parse_qs((await request.body()).decode("utf-8", "replace"))
        talk = self.talks.named(given.get("talk", [""])[0][:_LONGEST_NAME])
        text = " ".join(given.get("text", [""])[0].split())
        if talk is None:
            raise HTTPException(404)
        is_part = "HX-Request" in request.headers
        if not text:
            return Response(status_code=204) if is_part else RedirectResponse(_address(talk), 303)
        now, directory = self.pages.now(), self.pages.held.directory

        def does(known: KnowledgeGraph) -> Turned | None:
            return talk.say(text, known, directory, now)

        try:
            turned = await self.pages.do(request, does)
        except ReqapError as bad:
            if not is_part:
                raise
            problem = problem_of(bad, self.pages.hidden)
            return self.pages.fragment("chat/failed.html.j2", question=text, problem=problem)
        if not is_part:
            return RedirectResponse(_address(talk), 303)
        if turned is None:  # a command: the whole talk is another now
            response = self.pages.fragment("chat/turns.html.j2", **self._values(talk))
            response.headers["HX-Retarget"], response.headers["HX-Reswap"] = "#talk", "innerHTML"
            return response
        return self.pages.fragment(
            "chat/turn.html.j2", one=self._turn(talk, len(talk.turned) - 1), last=True, talk=talk
        )

    def _values(self, talk: Talk) -> dict[str, Any]:
        turns = [self._turn(talk, place) for place in range(len(talk.turned))]
        keeps = talk.dialogue.keeps if talk.dialogue is not None else talk.keep
        return {"talk": talk, "turns": turns, "keeps": keeps, "commands": COMMANDS}

    def _turn(self, talk: Talk, place: int) -> dict[str, Any]:
        """What is shown of a turn."""
        turned = talk.turned[place]
        turn, answer = turned.turn, turned.answer
        before = tuple(Said(one.turn.question) for one in talk.turned[max(0, place - MOST_TURNS) : place])
        dialog = answer.dialog if answer is not None else None
        return {
            "question": turn.question,
            "leans_on": [leaning.question for leaning in turn.leans_on],
            "resolved": turn.resolved if turn.how else "",
            "heads": [headline_of(part) for part in answer.each] if answer is not None else [],
            "doubt": answer.doubt if answer is not None else (),
            "failure": str(turn.failure) if answer is None and turn.failure is not None else "",
            "why": Asked(Said(turn.question), before).address() if answer is not None and answer.plan else "",
            "asks": dialog.questions[0] if dialog is not None and dialog.questions else None,
            "replies": dialog.questions[0].all[:_MOST_REPLIES] if dialog is not None and dialog.questions else (),
            "offer": offered(turn),
            "said": turn.said,
        }


def _address(talk: Talk) -> str:
    return f"/chat?talk={quote(talk.name)}"


def routes(pages: Pages) -> list[BaseRoute]:
    """All of conversations."""
    chat = Chat(pages, Talks())
    return [Route("/chat", chat.page, methods=["GET"]), Route("/chat", chat.say, methods=["POST"])]
