"""Whether a question is about what was said in chats, where rules do not read it or are unsure: the bundled model
decides, and says so (planner/proposers/chat_sketching.py).

Rules are unsure where several conditions stand in a question about content, where the words of a time stand behind
"about", and where words of speaking stand in a question that was read as one about other events. All other questions
that rules read are never shown to the model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from ...config import MODEL, Settings
from ...errors import ConfigError
from ...models.planning.chat_router import KINDS, PARTS, ChatRouter
from ...ontology.namespaces import EV
from ...operators.message_queries import Content, MessageQuery, is_of_messages, read_message_query
from ...operators.nodes import Filter, Node, Retrieve, walk
from ...planner.proposers.chat_sketching import ChatProposer, ChatSketch
from ...planner.search.plan import Planner
from ...store.index.statistics import Statistics
from ...store.vocabulary import Vocabulary
from .planned import Planned

CLEARLY: Final = 0.75
"""Score from which on the model goes before rules that read a question otherwise."""
_TALK: Final = ("ChatMessage", "ChatSession")
ANYTHING: Final = "talkOfAnything"
"""The rule that reads whatever is asked where there are only chats."""
FEW: Final = 4
"""Words that a question of some time is about, up to which they may only say that something was said."""
_BY_CONTENT: Final = frozenset({"talkByContent", "talkByBoth"})
_BY_SPEAKER: Final = "talkBySpeaker"
_SPEAKING: Final = re.compile(
    r"(?i)\b(?:sa(?:y|id|ys|ying)|t(?:ell|old|elling)|talk\w*|sp(?:oke|oken|eak|eaking)|chat\w*|discuss\w*|mention\w*"
    r"|wr(?:ite|ote|itten|iting)|text(?:s|ed|ing)?|messag\w+|conversation\w*|sessions?|convos?|recommend\w*|suggest\w*"
    r"|advi[cs]\w+|promis\w+|reveal\w*|brought up|c[ao]me up|asked|answered|repl(?:y|ied)|sent|recap|summar\w+)\b"
)
_OPINION: Final = re.compile(
    r"(?im)^(?>.*?\b(?:sa(?:y|id|ys)|mention\w*|think|thought|tell|told|feel|felt|wr(?:ite|ote))\b)"
    r".*\b(?:about|of|on|regarding)\b"
)
_DANGLING: Final = re.compile(r"(?i)\b(?:about|of|on|regarding|concerning|for)[ ?.!]*$")


def is_unsure(question: str, planned: Planned, core: Callable[[], str], *, alone: bool) -> bool:
    """Whether the model is to look at a question that rules read. `core` gives the question without its filters;
    `alone`: the data holds nothing but chats."""
    rule = planned.steps[0][0] if planned.steps else ""
    if rule == ANYTHING:
        return True
    if rule in _BY_CONTENT:
        sought = _sought(planned.node)
        topic = sought.topic if sought is not None else ""
        few = len(topic.split()) <= FEW and rule == "talkByBoth"
        return few or len(conditions(planned.node)) > 1 or _DANGLING.search(topic) is not None
    if rule == _BY_SPEAKER:
        return _OPINION.search(question) is not None and _DANGLING.search(core()) is not None
    if planned.of_chats:
        return False
    return (alone or _SPEAKING.search(question) is not None) and not _is_about_messages(planned.node)


def agrees(drawn: Node, read: Node) -> bool:
    """Whether the model's tree has the conditions of the rules' and looks for content where these do."""
    by_content, also = (
        sought is not None and sought.content is Content.ABOUT for sought in map(_sought, (drawn, read))
    )
    return by_content == also and len(conditions(drawn)) == len(conditions(read))


def conditions(tree: Node) -> list[Filter]:
    """The conditions of a tree on messages, without those inside what they compare with."""
    return [part for part in walk(tree) if isinstance(part, Filter)]


def _sought(tree: Node) -> MessageQuery | None:
    """What a tree looks for among messages."""
    first = next((part.query for part in walk(tree) if isinstance(part, Retrieve)), "")
    return read_message_query(first)


def _is_about_messages(tree: Node) -> bool:
    """Whether a tree counts, groups or orders messages: rules say of a message what a model cannot."""
    return any(isinstance(part, Retrieve) and is_of_messages(part.query) for part in walk(tree))


def chat_proposer(
    settings: Settings, planner: Planner, held: Statistics, vocabulary: Vocabulary
) -> ChatProposer | None:
    """What reads questions about chats; None where there are none, or no model. It knows personal events only."""
    if MODEL not in settings.asked_proposers or settings.domain is not None:
        return None
    having = {iri for iri, found in held.classes.items() if found.properties.get(EV + "source")}
    held_classes = having & {info.iri for info in vocabulary.event_classes()}
    talk = frozenset().union(*(vocabulary.descendants(EV + name) | {EV + name} for name in _TALK))
    if EV + _TALK[0] not in held_classes:
        return None
    try:
        router = ChatRouter()
    except ConfigError:
        return None

    def read(words: Sequence[str]) -> ChatSketch:
        guess = router.read(words)
        times, speakers = (tuple(part[PARTS.index(name)] for part in guess.parts) for name in ("time", "speaker"))
        return ChatSketch(dict(zip(KINDS, guess.kinds, strict=True)), times, speakers)

    return ChatProposer(planner, read, alone=held_classes <= talk)
