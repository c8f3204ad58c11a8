"""From a question to the tree that is run: the likeliest of what rules and the parser read, else what a language model
proposes.

A model's tree is taken only if its types fit, every RETRIEVE of it finds something, every key is one that the events
have, and it is likely enough. It comes with its proposer's name, and with a warning where it is in doubt. Otherwise the
question is declined, with the words that rules could not read and the reasons against each proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from ...config import LANGUAGE_MODEL, MODEL, Settings
from ...errors import ConfigError, Declined, NoSuchData, NotUnderstood, ReqapError
from ...ontology.namespaces import EV
from ...operators.forms.grammar import Form, format_form
from ...operators.nodes import Node
from ...operators.syntax.text import format_tree
from ...planner.annotation.parse_graph import attribute_key
from ...planner.cubes.accounting import unaccounted
from ...planner.cubes.reading import CubeReader
from ...planner.followups.rewording import Rewording
from ...planner.forms.lowering import CALENDAR_KEYS
from ...planner.patterns.limits import check_question
from ...planner.proposers.chat_sketching import ChatProposer
from ...planner.proposers.decomposing import Decomposed, Decomposition
from ...planner.proposers.language import LanguageProposer
from ...planner.proposers.linking import Linking, Marks
from ...planner.proposers.parsing import FIRST, Before, FormProposer, Parse, Parsed, words_of_earlier
from ...planner.proposers.proposing import Proposer, Refused, RulesProposer
from ...planner.search.plan import Planner
from ...planner.search.tense import tense_of
from ...store.vocabulary import Vocabulary
from ...texts.tokens import split
from ..answers.answer import RECORDS, TOLD
from .candidates import Candidate, Reading, Readings, ranked, weighed
from .chat_routing import CLEARLY, agrees, is_unsure
from .cubes import MOST_UNREAD, doubting, of_cube
from .grounds import LIKELY, SURE, Evidence, KnownWords, in_doubt
from .planned import Planned

if TYPE_CHECKING:
    from ...models.planning.beams import FormParser

WEAK = 0.65
"""Score below which rules only list events, having no other reading: a model may know better."""
CLEARLY_EMPTY = 0.5
"""How sure the parser is of forms that are answered by nothing before that is the answer, where none else is likely."""
MOST_REASONS = 3
"""Reasons against proposals that are told where a question is declined."""
_COUNTS = 'SELECT DISTINCT ?p WHERE { ?p wh:aggregate ?way FILTER(?way IN ("count", "distinct")) }'
Check = Callable[[Node, datetime], str | None]
"""Why the data does not bear out a tree; None where it does."""


@dataclass(frozen=True)
class FollowUp:
    """How a question after others was read, the words of these that it is read with, and its form, complete by
    itself."""

    planned: Planned
    words: tuple[str, ...]
    form: Form

    def resolved(self, question: str) -> str:
        """The question with these words."""
        return f"{question.rstrip(' ?.!')}, {' '.join(self.words)}?"


@dataclass(frozen=True)
class Proposals:
    """Plans questions by several proposers. `planner` reads words that name events even where rules are no proposer;
    `models` are the proposers besides rules, in the order in which they are asked."""

    planner: Callable[[], Planner]
    rules: bool
    models: Callable[[], Sequence[Proposer]]
    check: Check
    least: float
    one_shot: bool = False
    talk: Callable[[], ChatProposer | None] = lambda: None
    """What reads questions about chats, where the data has some."""
    readings: Callable[[str, datetime], Readings | None] = lambda *_: None
    """What reads a question in several ways, and says what the answers rest on."""
    cubes: Callable[[], CubeReader | None] = lambda: None
    """What reads questions to fact tables, where the data has some."""
    own_rules: bool = False
    """Whether somebody has written rules, which say what is meant."""
    refused: list[Refused] = field(default_factory=list[Refused])
    """Why proposals for the last question were dropped."""

    def plan(self, question: str, *, now: datetime) -> Planned:
        """The tree that is run. Raises NotUnderstood where nobody reads the question."""
        return self.plans(question, now=now, top=1)[0]

    def plans(self, question: str, *, now: datetime, top: int) -> tuple[Planned, ...]:
        """Up to `top` trees, the likeliest first: those of rules, then those of models. Raises NotUnderstood,
        UsageError for a question that is too long."""
        check_question(question)
        self.refused.clear()
        found: list[Planned] = []
        failure = NotUnderstood(f"no proposer reads “{question}”")
        cubes = self.cubes()
        whole = [of_cube(one) for one in cubes.readings(question, now) if one.whole] if cubes is not None else []
        if cubes is not None and whole and top == 1 and not cubes.rules_first:
            return (whole[0],)
        if self.rules:
            try:
                found += [Planned.by_rules(plan) for plan in self.planner().plans(question, now=now, top=top)]
            except Declined:
                raise  # there is nothing to guess
            except NotUnderstood as bad:
                failure = bad
        asked = top == 1 or not found
        if asked and (talked := self._talked(question, now, found[0] if found else None, failure)) is not None:
            return (talked,)
        if cubes is not None:
            return self._of_tables(question, now, top, found, failure, cubes)
        return self._of_events(question, now, top, found, failure)

    def _of_tables(
        self, question: str, now: datetime, top: int, found: list[Planned], failure: NotUnderstood, cubes: CubeReader
    ) -> tuple[Planned, ...]:
        """Plans of a question to fact tables: one that has something for every word, else one that says for which it
        has nothing. What somebody's own rules read as a whole comes first."""
        pieces = cubes.pieces(question, now)
        read = cubes.readings(question, now)
        whole = [of_cube(one) for one in read if one.whole]
        strange = not cubes.rules_first
        told = [one for one in found if not unaccounted(pieces, one.tree, one.notes, strange=strange)]
        if whole and not (cubes.rules_first and told):
            return tuple({one.tree: one for one in (*whole, *told)}.values())[:top]
        if told and cubes.rules_first:
            return tuple({one.tree: one for one in (*told, *whole)}.values())[:top]
        part = [of_cube(one) for one in read if len(one.unread) <= MOST_UNREAD]
        if part and not told:
            return tuple(part[:top])
        plans = self._of_events(question, now, top, found, failure)
        return tuple(doubting(one, unaccounted(pieces, one.tree, one.notes, strange=strange)) for one in plans)

    def _of_events(
        self, question: str, now: datetime, top: int, found: list[Planned], failure: NotUnderstood
    ) -> tuple[Planned, ...]:
        about_chats = bool(found) and found[0].of_chats
        reader = None if about_chats or (found and self.own_rules) else self.readings(question, now)
        reading = ""
        if reader is not None:
            found, reading = self._ranked(question, now, top, found, reader, failure)
        if len(found) < top:
            found += self._guessed(question, now, top - len(found), failure)
        if not found:
            raise self._failure(failure, reading)
        return tuple(found)

    def likeliest(self, question: str, *, now: datetime) -> Planned | None:
        """The most probable plan, whatever its score; None where nothing proposes one."""
        found = _first_with_plan(ranked(self.weighed(question, FIRST, now=now)))
        return found and found.at_now(tense_of(question), now)

    def weighed(self, question: str, before: Before, *, now: datetime) -> list[tuple[Reading, Evidence]]:
        """All answers that rules and the parser find, with what speaks for each; what the ranking is fitted on."""
        reader = self.readings(question, now)
        if reader is None:
            return []
        before = reader.forms.known(before) if reader.forms is not None else before
        read: list[Reading] = []
        unread: tuple[str, ...] = ()
        try:
            plans = () if before.questions else self.planner().plans(question, now=now, top=1)
            read += reader.of_rules([Planned.by_rules(plan) for plan in plans], [])
        except NotUnderstood as bad:
            unread = bad.words
        return weighed(read, list(reader.of_parser(question, now, [], unread, before)), later=bool(before.questions))

    def after(self, question: str, before: Before, *, now: datetime) -> FollowUp | None:
        """The likeliest reading of a question that leans on words of earlier ones; None where it does not, where no
        reading is likely, or where it has a word that nobody knows."""
        reader = self.readings(question, now)
        if reader is None or reader.forms is None or reader.known.unknown(split(question)):
            return None
        before = reader.forms.known(before)
        read = reader.of_parser(question, now, self.refused, before=before)
        parsed = [one for one in read if one.value is not None]
        leans = [one for one in parsed if one.form is not None and words_of_earlier(one.form, question, before.texts)]
        if sum(one.score for one in leans) <= sum(one.score for one in parsed) / 2:
            return None
        best = ranked(weighed([], parsed, later=True))[0]
        form = best.reading.form
        if best.probability < LIKELY or best.reading.planned is None or form is None:
            return None
        planned = _rated(best).at_now(tense_of(question), now)
        return FollowUp(planned, words_of_earlier(form, question, before.texts), form)

    def _ranked(
        self, question: str, now: datetime, top: int, found: list[Planned], reader: Readings, failure: NotUnderstood
    ) -> tuple[list[Planned], str]:
        """The likeliest of all readings; what rules made where none of these has an answer. Where all are in doubt,
        none, and the likeliest in words. Raises NoSuchData where it is likeliest that no record tells."""
        read = list(reader.of_rules(found, self.refused))
        lacking = next((one.lacking for one in read if one.lacking is not None), None)
        found = [one.planned for one in read if one.planned is not None]
        alone = ranked(weighed(read, []))
        if top == 1 and alone and alone[0].probability >= SURE:
            return [_rated(alone[0])], ""
        parsed = list(reader.of_parser(question, now, self.refused, failure.words))
        candidates = ranked(weighed(read, parsed))
        if candidates and candidates[0].reading.planned is None and not found and not failure.words:
            raise NoSuchData(f"no record tells what “{question}” asks")
        least = LIKELY if reader.forms is not None else 0.0  # rules alone have nobody to ask
        likely = [one for one in candidates if one.probability >= least and one.reading.planned is not None]
        for one in candidates:
            if one.probability < least and one.reading.form is not None:
                reason = f"not sure enough ({one.probability:.2f})"
                self.refused.append(Refused(MODEL, format_form(one.reading.form), reason))
        empty = [one for one in parsed if one.value is None]
        mass = sum(one.score for one in empty)
        if likely:
            return [_rated(one, below=mass) for one in likely[:top]], ""
        if mass >= CLEARLY_EMPTY and not any(one.value is not None for one in read):
            return found or [one.planned for one in empty[:top] if one.planned is not None], ""
        if lacking is not None:
            raise lacking
        if not any(one.value is not None for one in parsed):
            return found, ""
        doubtful = _first_with_plan([one for one in candidates if _is_of_data(one.reading, reader.known)])
        return [], doubtful.in_words if doubtful is not None else ""

    def _talked(self, question: str, now: datetime, read: Planned | None, failure: NotUnderstood) -> Planned | None:
        """What the model makes of a question about what was said, where rules do not read it or are unsure; None where
        it leaves it to others, or agrees with the rules."""
        proposer = self.talk()
        weak = read is None or _is_weak(read)
        if proposer is None:
            return None

        def core() -> str:
            return next((found.core.text for found in self.planner().readings(question, now=now)), "")

        if read is not None and not weak and not is_unsure(question, read, core, alone=proposer.alone):
            return None
        drawn = Decomposition(proposer, now, RulesProposer(self.planner()), mixed=self.rules, one_shot=self.one_shot)
        for tree in drawn.trees(question):
            of_chats = read is not None and read.of_chats
            reason = self._against(tree, now, self.least if weak or of_chats else CLEARLY)
            if reason is None:
                agreed = read is not None and of_chats and agrees(tree.tree, read.node)
                return None if agreed else _planned(tree, failure.words)
            drawn.refused.append(Refused(tree.proposer, format_tree(tree.tree), reason))
        self.refused.extend(drawn.refused)
        return None

    def _guessed(self, question: str, now: datetime, wanted: int, failure: NotUnderstood) -> list[Planned]:
        """What models propose and the data bears out."""
        reader = RulesProposer(self.planner())
        found: list[Planned] = []
        for proposer in self.models():
            drawn = Decomposition(proposer, now, reader, mixed=self.rules, one_shot=self.one_shot)
            for tree in drawn.trees(question):
                reason = self._against(tree, now, self.least)
                if reason is None:
                    found.append(_planned(tree, failure.words))
                else:
                    drawn.refused.append(Refused(tree.proposer, format_tree(tree.tree), reason))
                if len(found) == wanted:
                    return found
            self.refused.extend(drawn.refused)
        return found

    def _against(self, drawn: Decomposed, now: datetime, least: float) -> str | None:
        if drawn.score < least:
            return f"it is not sure enough ({drawn.score:.2f}, wanted {least:.2f})"
        try:
            return self.check(drawn.tree, now)
        except ReqapError as bad:
            return str(bad)

    def _failure(self, failure: NotUnderstood, reading: str) -> NotUnderstood:
        """The rules' failure, with what stood against the models' proposals, and the likeliest reading."""
        told = [f"{refused.proposer} proposed {refused.text}: {refused.reason}" for refused in self.refused]
        return NotUnderstood(str(failure), words=failure.words, details=tuple(told[-MOST_REASONS:]), reading=reading)


def _first_with_plan(candidates: Sequence[Candidate]) -> Planned | None:
    return next((_rated(one) for one in candidates if one.reading.planned is not None), None)


def _is_of_data(reading: Reading, known: KnownWords) -> bool:
    """Whether the data knows the words that the parser's reading rests on: only such a reading is offered."""
    return reading.form is None or known.is_of_data(reading.form)


def _rated(candidate: Candidate, below: float = 0.0) -> Planned:
    """The tree of a candidate with its probability, and what is said of it where it is in doubt. Where the parser is
    surer of forms that are answered by nothing, how sure is told by `below`, it is."""
    planned = candidate.reading.planned
    assert planned is not None
    probability = round(candidate.probability, 4)
    is_doubtful = probability < SURE or candidate.evidence.mass < below
    doubt = in_doubt(planned.in_words, candidate.reading.left_out, candidate.evidence) if is_doubtful else ""
    basis = TOLD if candidate.evidence.grounds.told else RECORDS
    return replace(planned, probability=probability, doubt=(doubt,) if doubt else (), basis=basis)


def _is_weak(planned: Planned) -> bool:
    """Whether rules took all words of a question for a name of events."""
    return planned.answer_type == "events" and planned.score < WEAK


def models_of(settings: Settings, attributes: Sequence[str]) -> tuple[Proposer, ...]:
    """The proposers besides rules and parsers; `attributes` are the ontology's labels. Raises ConfigError where the
    language model is wanted and has no address."""
    if LANGUAGE_MODEL not in settings.asked_proposers:
        return ()
    return (_language_proposer(settings, attributes),)


def form_proposer(settings: Settings, planner: Planner) -> FormProposer | None:
    """The bundled parser, with a causal language model where the settings name one; None where it is not wanted, or the
    encoder's weights are not installed, so that rules answer alone. Raises ConfigError where the language model's are
    not there."""
    if MODEL not in settings.asked_proposers:
        return None
    from ...models.planning.causal import causal_parser
    from ...models.planning.parser import Parser

    own = () if settings.domain is None else domain_keys(planner)
    try:
        parser = Parser(own_keys=own)
    except ConfigError:
        return None
    linking = Linking(planner, parser.keys)
    is_aside = parser.asides.__contains__
    name = settings.causal_model
    causal = None if name is None else _parse_by(causal_parser(name, own, settings.models_folder))
    return FormProposer(planner, linking, _parse_by(parser), is_aside, causal, in_domain=bool(own))


def _parse_by(parser: FormParser) -> Parse:
    def parse(words: Sequence[str], gaps: Sequence[str], marks: Marks) -> tuple[Parsed, ...]:
        return tuple(Parsed(guess.form, guess.score) for guess in parser.parse(words, gaps, marks))

    return parse


def domain_keys(planner: Planner) -> tuple[str, ...]:
    """What forms may name in a domain of one's own: its attributes, and the parts of an event's time. Counts are none:
    what is counted is said by the form."""
    counts = {row[0].value for row in planner.graph.select(_COUNTS) if row[0] is not None}
    known = planner.vocabulary.properties.values()
    found = (one for one in known if one.domain and not one.internal and one.iri not in counts)
    return tuple(sorted({*CALENDAR_KEYS, *(attribute_key(one.label) for one in found)}))


def attribute_labels(vocabulary: Vocabulary) -> tuple[str, ...]:
    """Names of attributes that the shipped ontology declares for events, as trees write them."""
    found = vocabulary.properties.values()
    return tuple(sorted(attribute_key(p.label) for p in found if p.iri.startswith(EV) and not p.internal))


def _language_proposer(settings: Settings, attributes: Sequence[str]) -> Proposer:
    from ...models.planning.language import AddressModel

    chosen = settings.language_model
    if chosen.address is None:
        raise ConfigError("the proposer language-model needs an address: [language_model] address in the settings")
    return LanguageProposer(
        AddressModel(chosen).complete, tuple(attributes), examples=chosen.examples, one_shot=settings.one_shot
    )


def reworded(settings: Settings, question: str, earlier: Sequence[str]) -> tuple[str, ...]:
    """Self-contained questions that the language model makes of a follow-up; none where it is no proposer, or has no
    address."""
    if LANGUAGE_MODEL not in settings.asked_proposers or settings.language_model.address is None:
        return ()
    from ...models.planning.language import AddressModel

    return Rewording(AddressModel(settings.language_model).complete).questions(question, earlier)


def _planned(drawn: Decomposed, words: Sequence[str]) -> Planned:
    unread = f" (rules do not read {', '.join(f'“{word}”' for word in words)})" if words else ""
    doubt = (
        f"This is a guess of the {drawn.proposer.replace('-', ' ')}{unread}; look whether the tree is what you meant."
    )
    score = round(drawn.score, 4)
    planned = Planned(drawn.tree, drawn.form, drawn.proposer, score, drawn.steps, drawn.notes)
    return replace(planned, probability=score, doubt=(doubt,))
