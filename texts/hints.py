"""What the lexicons and the profile know about the words of a text, said in a few words for a model.

Source: the paper's "notable user information" beside the verbalised event (ReQAP section 3.2.2).
"""

from __future__ import annotations

from typing import Final

from .document import Document
from .lexicon.lexicon import Lexicon, deciding
from .people.mentions import How, Mention, Profile

_KEYS: Final = (
    *("cuisine", "occasion", "workout_type", "doctor_type", "milestone_type", "activity", "food", "drink"),
    *("city", "country"),
)
"""Keys whose values a text implies, those first that change most what it tells."""
_MOST_OF_A_KEY: Final = 3


def hints(document: Document, lexicon: Lexicon, profile: Profile, mentioned: tuple[Mention, ...]) -> tuple[str, ...]:
    """Hints such as "cuisine Portuguese" and "Meera is sister Meera Nair", in a fixed order."""
    return (*_people(document, profile, mentioned), *concepts(document.text, lexicon))


def concepts(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """What the lexicons know of a text: "cuisine Portuguese", "doctor type dentist"."""
    by_key: dict[str, dict[str, None]] = {}
    for cue in deciding(lexicon.cues(text, _KEYS)):
        by_key.setdefault(cue.key, {})[cue.value] = None
    return tuple(
        f"{key.replace('_', ' ')} {value}" for key in _KEYS for value in list(by_key.get(key, ()))[:_MOST_OF_A_KEY]
    )


def _people(document: Document, profile: Profile, mentioned: tuple[Mention, ...]) -> list[str]:
    relations = {person.name: person.relation for person in profile.people}
    found: dict[str, None] = {}
    for mention in mentioned:
        if mention.how is How.SAID and not mention.ambiguous:
            call = document.text[mention.start : mention.end]
            for name in mention.names:
                relation = relations.get(name)
                if relation or call != name:
                    found[f"{call} is {relation + ' ' if relation else ''}{name}"] = None
    return list(found)[:4]
