"""The addresses of conversations: a page of one, and what is said in it.

GET  /chat              a new one, kept as the settings say
GET  /chat?talk=NAME    one that runs
POST /chat              something is said: the page again, or the turn alone where htmx asks
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs, quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ....engine.answers.headline import headline_of
from ....engine.conversation.turns import offered
from ....engine.knowledge import KnowledgeGraph
from ....errors import ReqapError
from ...http.problems import problem_of
from ..ask.asked import MOST_TURNS, Asked, Said
from ..frame.pages import Pages
from .talks import COMMANDS, Talk, Talks, Turned

_LONGEST_NAME: Final = 40
_MOST_REPLIES: Final = 12


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
