"""Forms as steps of a decoder: what is said is allowed at every step, and steps say the form that they were made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.operators.forms.decoding import ALLOWED, CLOSE, END, State, Step, Want, form_of
from reqap_kg.operators.forms.grammar import EVENTS, OPERATORS, TESTS, Form, Sort, Words
from reqap_kg.training.forms import parse_form, steps_of

QUESTION = ["how", "often", "did", "my", "sister", "swim", "in", "the", "lake", "after", "work", "last", "summer", "?"]
_SPANS = st.tuples(st.integers(0, 12), st.integers(0, 3)).map(lambda at: " ".join(QUESTION[at[0] : at[0] + at[1] + 1]))
_WORDS = st.one_of(_SPANS, st.just("songs"), st.just("trips by boat")).map(Words)


def _forms(sort: Sort, depth: int) -> st.SearchStrategy[Form | Words | str]:
    if sort is Sort.WORDS:
        return _WORDS
    if sort is Sort.KEY:
        return st.sampled_from(["artist", "date", "distance"])
    if sort is Sort.TEST:
        return st.sampled_from(TESTS)
    events = sort is Sort.EVENTS
    simple = ["events"] if events else ["count", "show", "now"]
    known = [name for name in OPERATORS if (name in EVENTS) == events] if depth else simple

    @st.composite
    def form(draw: st.DrawFn) -> Form:
        name = draw(st.sampled_from(known))
        return Form(name, tuple(draw(_forms(one, max(0, depth - 1))) for one in OPERATORS[name]))

    return form()


@given(_forms(Sort.VALUE, 3))
def test_steps_say_the_form_that_they_were_made_of(form: Form) -> None:
    steps = steps_of(form, str.split, QUESTION)
    state = State()
    for step in steps:
        want = state.next
        assert (
            step.symbol in ALLOWED[want]
            or (step.key and want in (Want.KEY, Want.CONDITION))
            or (step.word and want in (Want.WORDS, Want.MORE_WORDS))
            or (step.place >= 0 and want in (Want.WORDS, Want.MORE_WORDS, Want.LAST_WORD))
        )
        state = state.after(step)
    assert state.next is Want.END
    assert state.after(Step(symbol=END)).next is Want.END
    assert form_of(steps, QUESTION) == form


def test_the_question_itself_goes_before_earlier_ones() -> None:
    words = ["runs", "in", "May", "|", "and", "runs", "in", "June", "?"]
    steps = steps_of(parse_form('count(events("runs", time="in June"))'), str.split, words, begin=4)
    assert [step.place for step in steps if step.place >= 0] == [5, 5, 6, 7]


def test_what_stands_between_words_is_kept() -> None:
    form = parse_form('events("swim-runs")')
    steps = steps_of(form, lambda text: text.replace("-", " - ").split(), ["my", "swim", "-", "runs"])
    assert form_of(steps, ["my", "swim", "-", "runs"], [" ", "", "", ""]) == form


def test_a_word_that_nobody_can_say_is_left_out_beside_others() -> None:
    known = frozenset({"trips"})
    steps = steps_of(parse_form('events("lovely trips")'), str.split, ["where"], known=known)
    assert [step.word for step in steps if step.word] == ["trips"]
    assert [step for step in steps if step.symbol == CLOSE]
    with pytest.raises(ValueError, match="stands nowhere"):
        steps_of(parse_form('events("lovely")'), str.split, ["where"], known=known)
    alike = steps_of(parse_form('events("swimming")'), str.split, ["we", "swimmi"], known=known)
    assert [step.place for step in alike if step.place >= 0] == [1, 1]
