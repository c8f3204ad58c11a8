"""The baseline that verbalises and reads: the retriever's best records for the question, and a reader over them.

The reader is the extractive one (`extractive`), or the configured language model, if its address is on this machine:
what was retrieved are a person's own texts, and these never leave it. Source: ReQAP's RAG baseline (section 5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from ipaddress import ip_address
from time import perf_counter
from typing import Any, Final
from urllib.parse import urlsplit

from jinja2 import Environment, StrictUndefined, Template

from ...engine.knowledge import KnowledgeGraph
from ...errors import ModelUnreachable
from ...evaluation.suites.base import Life, Question
from ...evaluation.systems import Response, System, Tracing
from ...models.planning.language import AddressModel
from .extractive import ExtractiveReader
from .passages import Passage, retrieved
from .tables import Tables
from .wording import read_wording

MOST: Final = 200
"""Records that the extractive reader is given."""
MOST_SAID: Final = 100
"""Records that a language model is given."""
NOTHING: Final = re.compile(r"\W*(?:none|unknown|nothing|n/a|no answer)\W*", re.IGNORECASE)


def open_rag(known: KnowledgeGraph, life: Life, tracing: Tracing) -> System:  # noqa: ARG001 - as systems are opened
    """The system `rag` over a life's records."""
    tables = Tables(known.graph, known.index, known.vocabulary)
    address = known.settings.language_model.address
    model = AddressModel(known.settings.language_model) if address is not None and is_here(address) else None
    read = f"language model {model.name}" if model is not None else "extractive"

    def answer(question: Question) -> Response:
        begin = perf_counter()
        context = known._context(question.now)
        passages = retrieved(question.text, tables, context, MOST)
        found = perf_counter()
        if model is None:
            values = ExtractiveReader(context).answer(read_wording(question.text, question.now), passages)
        else:
            values = _told(model, question, passages[:MOST_SAID])
        ms = {"retrieve": _ms(begin, found), "read": _ms(found, perf_counter())}
        more: dict[str, Any] = {"reader": read, "best": [passage.line for passage in passages[:3]]}
        return Response(tuple(values), "" if values else "nothing that was retrieved answers it", ms, more)

    return answer


def is_here(address: str) -> bool:
    """Whether an address is of this machine: what was retrieved may be sent there."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _told(model: AddressModel, question: Question, passages: Sequence[Passage]) -> list[Any]:
    """What a language model says, one value a line. Raises ModelUnreachable."""
    lines = [passage.line for passage in sorted(passages, key=lambda passage: passage.start)]
    prompt = _template().render(question=question.text, now=question.now, lines=lines)
    answers = model.complete([{"role": "user", "content": prompt}])
    if not answers:
        raise ModelUnreachable("the language model gave no answer")
    said = (line.strip(" -*\t") for line in answers[0].splitlines())
    return [line for line in said if line and not NOTHING.fullmatch(line)]


@lru_cache(maxsize=1)
def _template() -> Template:
    source = (files("reqap_kg.templates") / "rag.j2").read_text(encoding="utf-8")
    return Environment(undefined=StrictUndefined, autoescape=False).from_string(source)  # noqa: S701 - plain text


def _ms(begin: float, end: float) -> float:
    return round((end - begin) * 1000, 1)
