"""The composition root of asking: question in, answer with evidence out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from ..compiler.facts import Spellings, spellings_in, with_facts
from ..compiler.rewrites import rewrite
from ..config import RULES, Settings
from ..errors import NotUnderstood
from ..execution.computed import Place, drop_oldest
from ..execution.context import Tables
from ..execution.derivations.dependencies import dependencies, state_of
from ..execution.derivations.derive import drop_stale
from ..execution.explain import explained
from ..execution.joins.subanswers import Known, with_answers
from ..execution.run import ready_to_run, without_value
from ..extraction.life import load_life
from ..models.encoder import encoder_factory
from ..models.reading.readers import Readers
from ..ontology.namespaces import EV
from ..operators.checking.checking import check_tree
from ..operators.nodes import Node
from ..operators.resolution import Resolution
from ..operators.syntax.text import read_tree
from ..parallel import workers_of
from ..planner.patterns.limits import check_question
from ..planner.proposers.parsing import Before
from ..planner.rules.rulebook import RuleBook
from ..planner.search import plan as planning
from ..planner.search.tense import tense_of
from ..retrieval.context import RetrieveContext
from ..retrieval.people import People, load_people
from ..retrieval.retrieved import matched_events
from ..store.cache_file import NONE_BEFORE, Caches, NoteCache
from ..store.generations import EventGraph
from ..store.index.index import Progress, open_index
from ..store.index.vectors import VectorCache
from ..store.ontology_graph import refresh_vocabulary
from ..store.recorded import recorded_vocabulary
from ..texts.lexicon.lexicon import Lexicon, load_lexicon
from ..texts.people.mentions import Profile
from .admin.extraction import ExtractedValue, ExtractionRequest, extract_values
from .admin.neural import Extraction, Retrieval, extract_rows, retrieve_hits
from .answers.answer import Answer
from .asking.candidates import readings_of
from .asking.chat_routing import chat_proposer
from .asking.cubes import cube_reader
from .asking.grounds import KnownWords
from .asking.guide import Guide
from .asking.inspecting import Inspecting
from .asking.planned import Planned, tensed
from .asking.proposals import FollowUp, Proposals, attribute_labels, form_proposer, models_of
from .asking.proximity import proximity
from .asking.ready import Asked, KeptReady, Knows, Ready, answer_of, beside
from .asking.refusal import Nearby, refused
from .asking.resolving import resolved
from .authoring.domain import domain_of, measures_in, ontology_of, rulebook_of
from .conversation.about_dialogues import AboutDialogues
from .conversation.chat_context import ChatContext
from .conversation.conversation import asked_after
from .conversation.kept import opened_graph
from .conversation.turns import raised
from .editing.editing import Editing
from .importing.precompute import Precomputed, ahead
from .importing.warehouse_facts import warehouse_facts
from .querying import Querying
from .relating import Relating

T = TypeVar("T")
MOST_EVENTS = 1000
"""Events behind an answer that are looked up if nothing else is said."""


class KnowledgeGraph(Inspecting, Querying, Relating, Editing):
    """A store opened for questions. Use `with KnowledgeGraph.open(directory) as known:`."""

    def __init__(
        self, graph: EventGraph, settings: Settings, progress: Progress | None = None, before: Caches = NONE_BEFORE
    ) -> None:
        self.graph = graph
        self._before = before
        self.settings = settings
        ontology = ontology_of(settings.domain)
        self._state = state_of(graph.generation, ontology)
        refresh_vocabulary(graph, ontology)
        self.vocabulary = recorded_vocabulary(graph)
        self.index = open_index(
            graph.index_directory, graph, self.vocabulary, generation=self._state, progress=progress
        )
        types = self.index.statistics.classes
        self._depends = dependencies(
            graph, self.vocabulary, graph.generation, settings.lexicons, ontology, types, self.index.holders
        )
        drop_stale(graph, self._depends)
        drop_oldest(graph)
        self._progress = progress
        self._found = Tables()
        self._answers: Known = {}
        self._ready = KeptReady()
        self._knows = Knows(graph, self.vocabulary, self.index.statistics, settings.locale)
        self.chat_context = lru_cache(1)(partial(ChatContext, self))
        """What says which talk a question means after earlier turns; one moment's readings are kept."""
        self._encoder = encoder_factory(settings.encoder)

    @classmethod
    @contextmanager
    def open(
        cls,
        directory: Path,
        settings: Settings | None = None,
        progress: Progress | None = None,
        before: Caches = NONE_BEFORE,
    ) -> Iterator[KnowledgeGraph]:
        """Opens the store at `directory`, taking over what it needs of caches that were `before`. Raises StoreError
        where there is none, StoreBusy when it is held."""
        chosen = settings or Settings()
        with opened_graph(directory, chosen, write=True) as graph:
            known = cls(graph, chosen, progress, before)
            try:
                yield known
            finally:
                known.close()

    def close(self) -> None:
        """Closes index and cache; `open` does it."""
        self.index.close()
        for name in ("_cache", "_notes"):
            if name in self.__dict__:
                self.__dict__[name].close()

    def ask(
        self,
        question: str,
        *,
        now: datetime,
        tree: str | None = None,
        most_events: int | None = MOST_EVENTS,
        explain: bool = False,
        context: object = None,
    ) -> Answer:
        """Answers a question, or runs the tree given for it, with so many of the events behind the answer (None: all).

        After the turns of a `context` (texts, {question, answer?} or {speaker, text}), it is answered as what it means
        there. A question about what was asked here is put to the dialogues. To `explain`, every operator's part of the
        tree is run by itself first. Raises NotUnderstood, naming the words in the way, and as `run` does."""
        if context:
            return raised(asked_after(self, question, context, now=now, most_events=most_events, explain=explain))
        told = self._dialogues.answer(question, now, most_events, explain=explain) if tree is None else None
        told = told or (self._guide(now).answer(question, now) if tree is None else None)
        if told is not None:
            return told
        plan = (lambda: Planned.given(read_tree(tree))) if tree is not None else (lambda: self.plan(question, now=now))
        return self._execute((question, now, tree), plan, most_events, explain, dialog=True)

    def run(self, tree: str, *, now: datetime, most_events: int | None = MOST_EVENTS, explain: bool = False) -> Answer:
        """Runs an operator tree in text form. Raises TreeSyntaxError with line and column, TreeTypeError, TooLarge."""
        return self.ask(tree, now=now, tree=tree, most_events=most_events, explain=explain)

    def refused(self, question: str, bad: NotUnderstood, *, now: datetime) -> Answer:
        """The answer of a question that was declined: none, with a sentence that offers a nearby one that works."""
        return refused(question, bad, self._nearby(now), now=now)

    def plan(self, question: str, *, now: datetime) -> Planned:
        """The tree that a question becomes: the likeliest that the data bears out. Raises NotUnderstood."""
        told = self._dialogues.plan(question, now)
        if told is None and self._is_timeless:
            return self.proposals.plan(question, now=now)
        return told or tensed(lambda said: self.proposals.plan(said, now=now), question, now)

    def plans(self, question: str, *, now: datetime, top: int) -> tuple[Planned, ...]:
        """Up to `top` trees that a question may become, the likeliest first. Raises NotUnderstood where none."""
        about = self._dialogues.plan(question, now)
        if about is not None:
            return (about,)
        if self._is_timeless:
            return self.proposals.plans(question, now=now, top=top)
        told = tense_of(question)
        return tuple(one.at_now(told, now) for one in self.proposals.plans(question, now=now, top=top))

    @property
    def _is_timeless(self) -> bool:
        """Whether nothing in the store has a time, so that no tense parts what was from what is to come."""
        return EV + "start" not in self.index.statistics.properties

    def after(self, question: str, before: Before, *, now: datetime) -> FollowUp | None:
        """How the parser reads a question that leans on earlier ones; None where it does not, or is in doubt."""
        return None if self._dialogues.is_asked(question, now) else self.proposals.after(question, before, now=now)

    def ask_plan(
        self,
        question: str,
        planned: Planned,
        *,
        now: datetime,
        most_events: int | None = 0,
        explain: bool = False,
        dialog: bool = False,
    ) -> Answer:
        """Runs one of the `plans` of a question, its answer in the plan's form, without events; with a `dialog` about a
        large answer, if that is wanted. Raises as `run`."""
        return self._execute((question, now, planned.name), lambda: planned, most_events, explain, dialog=dialog)

    def retrieve(self, query: str, *, now: datetime) -> Retrieval:
        """The events that a phrase means, best first. Raises UsageError for one that is too long."""
        check_question(query)
        return retrieve_hits(query, self._context(now))

    def read_ahead(self, *, now: datetime) -> Precomputed:
        """Embeds and reads all texts, and ranks all events, so that no question need wait for it. Raises ConfigError
        where no model is."""
        if self._progress:
            self._progress("load the models", 0, 0)
        self._planner.read_ahead()
        _ = self.ranked
        return ahead(self._context(now))

    def extract(self, keys: tuple[str, ...], query: str, *, now: datetime) -> Extraction:
        """The values of keys for the events that a phrase means. Raises NotUnderstood for an unknown key."""
        return extract_rows(keys, query, self._context(now))

    def extract_many(self, requests: Sequence[ExtractionRequest], *, now: datetime) -> list[ExtractedValue]:
        """The values that many requests ask for, in their order; all events of a key are read together."""
        return extract_values(requests, self._context(now))

    def _execute(
        self,
        asked: Asked,
        plan: Callable[[], Planned],
        most_events: int | None,
        explain: bool,
        dialog: bool = False,
    ) -> Answer:
        begin = perf_counter()
        ready = None if explain else self._ready.get(asked, self.graph.removals)
        ready = replace(ready, planned=plan()) if ready and asked[2] else ready  # a given plan says how likely it is
        if ready is None:
            ready = self._made_ready(asked, plan(), begin, explain)
            self._ready.keep(asked, ready.again(), self.graph.removals)
        running = perf_counter()
        whole = most_events is None or ready.needs_events
        found = ready.runnable.run(self.graph, None if whole else most_events and most_events + 1)
        ran = perf_counter()
        answer = answer_of(asked[0], ready, found, self._knows, most_events)
        answer = self.with_dialog(answer, ready, found, asked[1]) if dialog else answer
        if ready.planned.also is not None:
            more = partial(self.ask_plan, now=asked[1], most_events=most_events, explain=explain)
            answer = answer.with_also(more(asked[0], ready.planned.also))
        return replace(answer, timings_ms=ready.timings(ran - running, perf_counter() - begin))

    def _made_ready(self, asked: Asked, planned: Planned, begin: float, explain: bool) -> Ready:
        """Resolves and compiles, but for what planning has made ready already, and since when it did; to `explain`,
        every part of the tree is run by itself besides."""
        now = asked[1]
        known = None if explain else self._ready.get((asked[0], now, planned.name), self.graph.removals)
        if known is not None:
            return replace(known, planned=planned, seconds=(perf_counter() - begin, 0.0, 0.0, 0.0))
        check_tree(planned.node)
        tree = rewrite(planned.node, now).tree
        marks = [perf_counter()]
        context, facts = self._context(now), self._with_facts
        strict = planned.planner == RULES
        resolution, said = resolved(tree, context, facts, marks, strict=strict, with_told=planned.ahead)
        place = Place(self.graph, resolution, now, self._state, depends=self._depends)
        folder = self.graph.index_directory
        told = explained(tree, place, folder) if explain else None
        tree, answers = with_answers(tree, place, self.index.statistics, self._answers, folder)
        runnable = ready_to_run(tree, place, folder)
        texts = beside(tree, place, context, facts, None if planned.ahead else folder)
        said = said.with_anchors(without_value(tree, place, folder)).with_answers(answers).with_warning(texts.warning)
        (planning, retrieved, extracted), end = marks, perf_counter()
        seconds = (planning - begin, retrieved - planning, extracted - retrieved, end - extracted)
        return Ready(planned, resolution, said, runnable, seconds, told, texts)

    def _with_facts(self, resolution: Resolution) -> Resolution:
        return with_facts(resolution, self.index.statistics, self._spellings)

    def _context(self, now: datetime) -> RetrieveContext:
        return RetrieveContext(
            graph=self.graph,
            generation=self._state,
            vocabulary=self.vocabulary,
            index=self.index,
            people=self._people,
            encoder_factory=self._encoder,
            cache=self._cache,
            now=now.isoformat(timespec="seconds"),
            index_folder=self.graph.index_directory,
            progress=self._progress,
            known=self._found,
            classify=self.settings.classifiers,
            read_texts=self.settings.read_texts,
            readers=self._readers,
            lexicon_factory=self._lexicon,
            profile_factory=lambda: self._profile,
            notes=self._notes,
            depends=self._depends,
        )

    @cached_property
    def _planner(self) -> planning.Planner:
        return self.planner_with(rulebook_of(self.settings, self.graph.cache_directory))

    @cached_property
    def proposals(self) -> Proposals:
        """What reads questions, by rules and models."""
        chosen, domain = self.settings, domain_of(self.settings.domain)
        forms = cache(lambda: form_proposer(chosen, self._planner))
        return Proposals(
            lambda: self._planner,
            rules=RULES in chosen.asked_proposers,
            models=cache(lambda: models_of(chosen, attribute_labels(self.vocabulary))),
            check=self._against,
            least=chosen.least_guess,
            one_shot=chosen.one_shot,
            talk=cache(lambda: chat_proposer(chosen, self._planner, self.index.statistics, self.vocabulary)),
            readings=lambda said, now: readings_of(
                forms(), self._planner, said, self.ask_plan, self._against, self._known_words, self._context(now)
            ),
            own_rules=bool(chosen.rules or (domain and domain.rules)),
            cubes=cache(lambda: cube_reader(self._planner, domain, self.index.statistics, bool(chosen.rules))),
        )

    @cached_property
    def _known_words(self) -> KnownWords:
        return KnownWords(self.index, self.vocabulary, self._people, self._lexicon)

    def _nearby(self, now: datetime) -> Nearby:
        def ask(said: str) -> Answer:  # of plain words, so that no model need read it
            plan = partial(tensed, lambda one: Planned.by_rules(self._planner.plan(one, now=now)), said, now)
            return self._execute((said, now, "offered"), plan, 1, False)

        return Nearby(self._planner, self.vocabulary, self.index.statistics, domain_of(self.settings.domain), ask)

    def _guide(self, now: datetime) -> Guide:
        return Guide(self._nearby(now), self._people, self._known_words, partial(self.run, now=now, most_events=0))

    @cached_property
    def _dialogues(self) -> AboutDialogues:
        return AboutDialogues(self, self.graph.directory, type(self).open)

    def _against(self, tree: Node, now: datetime) -> str | None:
        """Why the data does not bear out a proposed tree: a RETRIEVE that finds nothing. Raises NotUnderstood for a key
        that the events do not have."""
        resolution, _ = resolved(rewrite(tree, now).tree, self._context(now), self._with_facts, [], strict=True)
        nothing = (query for query, match in resolution.retrieves if not matched_events(match, self.graph))
        return next((f"nothing in the data is “{query}”" for query in nothing), None)

    def planner_with(self, rulebook: RuleBook) -> planning.Planner:
        """A planner over this store by a rule book: of rules that are being written, say."""
        facts = warehouse_facts(self.graph, self.index, self.index.statistics) if measures_in(self.settings) else ()
        return planning.Planner(
            self.graph,
            self.vocabulary,
            replace(rulebook, quads=(*rulebook.quads, *facts)) if facts else rulebook,
            self._values_called,
            near=proximity(self.index, self._encoder, lambda: self._cache, self._progress),
            ranking=self.settings.ranking,
            limits=self.settings.planning,
            one_shot=self.settings.one_shot,
        )

    @cached_property
    def _spellings(self) -> Spellings:
        return spellings_in(self.graph)

    @cached_property
    def _people(self) -> People:
        return load_people(self.graph, self.vocabulary)

    @cached_property
    def _cache(self) -> VectorCache:
        return VectorCache(self.graph.cache_directory, self._before.vectors, workers_of(self.settings))

    @cached_property
    def _readers(self) -> Readers:
        chosen = self.settings
        names = (chosen.event_classifier, chosen.pattern_classifier, chosen.extractor)
        return Readers(*names, remember=self._cache.vectors, lexicon_factory=self._lexicon)

    @cached_property
    def _notes(self) -> NoteCache:
        return NoteCache(self.graph.cache_directory, self._before.notes)

    def _lexicon(self) -> Lexicon:
        return load_lexicon(self.settings.lexicons)

    @cached_property
    def _profile(self) -> Profile:
        return load_life(self.graph).profile

    def _values_called(self, phrase: str) -> list[str]:
        return [value.text for value in self.index.equal_to(phrase)]
