"""The people around the person whose life it is, and everything that texts may call them: short forms of first names,
titles, and words that are names and everyday words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple

from ...operators.reading.names import english_names
from ..lexicon.lexicon_file import read_entries
from ..tokens import without_accents

_SHORT_FORMS: Final = """
agnieszka aga | aidan aid | alejandro ale jandro | aleksandra ola | alexander alex al sandy xander sasha lex |
alexandra alex sandra sasha lexi | andrew andy drew | anthony tony ant | antónio toni tonio | barbara barb babs |
beatriz bia bea | benjamin ben benny | bernard bernie | carolina caro carol | caroline caro carrie | catherine cath
cathy kate katie cat | charles charlie chuck chas | charlotte charlie lottie | christine chris chrissie tina |
christopher chris kit topher | constance connie | cornelius con | cristina cris tina | daniel dan danny | david dave
davy | deborah deb debs debbie | dennis den | dmitri dima | donald don donny | dorothy dot dottie | eduardo edu |
edward ed eddie ted teddy ned | ekaterina katya | eleanor ellie nell nellie nora | elizabeth liz lizzie beth eliza
betty bess libby lisa | emily em emmy | emma em | fernando nando | filipe lipe | francesca fran frankie chess |
francis frank fran | francisco paco chico kiko pancho | frederick fred freddie | gabriel gabe gabi | gabriela gabi
gaby | geoffrey geoff jeff | george geordie | gerald gerry jerry | giovanni gianni vanni | giuseppe beppe peppe |
gonçalo gonga | gregory greg | guadalupe lupe | guilherme gui | gustavo gus guga | harold harry hal | henry harry
hank | ignacio nacho | isabel isa bel izzy bella | isabella bella izzy isa | jacob jake | jacqueline jackie | james
jim jimmy jamie | jennifer jen jenny jenn | jeremy jez jerry | jessica jess jessie | jesús chuy | joanna jo joan |
johannes hannes jo | john johnny jack jon | jonathan jon jonny | joseph joe joey jo | josephine jo josie | joshua
josh | josé pepe zé | joão jão | judith judy jude | katarzyna kasia | katherine kath kathy kate katie kat | kenneth
ken kenny | lawrence larry laurie | leonard len lenny leo | luís lu | luísa lu | magdalena magda lena | manuel manel
manu manolo | margaret maggie meg peg peggy marge mags rita | maria mia mari | mariana mari | martha marty | martin
marty | matthew matt matty | maximilian max | małgorzata gosia | michael mike mick micky mikey | mikhail misha |
mohammed mo | muhammad mo | natalie nat | nathaniel nate nat | nicholas nick nicky | nicola nic nicky | nicole nic
nicky | nikolai kolya | oliver ollie olly | olivia liv livvy | pamela pam | patricia pat patsy tricia trish |
patrick pat paddy | penelope penny pen | peter pete | philip phil pip | philippa pip pippa | priscilla cilla |
pádraig pat paddy podge | rafael rafa | rebecca becky becca bex | reginald reg reggie | ricardo ric rick | richard
rick ricky dick rich richie | robert bob bobby rob robbie bert | roberta bobbie | rodrigo digo | ronald ron ronnie |
rosemary rosie | rosário rosa | russell russ | samantha sam sammy | samuel sam sammy | sarah sally sal | sebastian
seb bastian basti | sebastián seba | sergei seryozha | sophie soph | stephanie steph | stephen steve stevie | steven
steve stevie | susan sue suzie | susanna sue suzie | suzanne sue suzie | tamara tammy | teresa terry tess tessa |
theodore ted teddy theo | theresa terry tess tessa | thomas tom tommy | timothy tim timmy | tobias tobi toby |
tomasz tomek | toni tony | ursula uschi | valerie val | victor vic | victoria vic vicky tori | vincent vince vinnie
| virginia ginny ginger | vladimir vova volodya | walter walt wally | wilfred wilf | wilhelm willi | william will
bill billy liam willy | winifred winnie | yevgeny zhenya | yolanda yoli | zachary zach zac | zbigniew zbyszek
"""
SHORT_FORMS: Final = MappingProxyType(
    {names[0]: frozenset(names[1:]) for names in map(str.split, _SHORT_FORMS.split("|"))}
)
"""First name, lower case, to what people of the name are called."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’](?![sS](?![^\W\d_]))[^\W\d_]+)*")
_POSSESSIVE: Final = re.compile(r"['’][sS](?![^\W\d_])|(?<=[sS])['’](?!\w)")
_GROUPS: Final = {
    "parents": ("mother", "father"),
    "parents-in-law": ("mother-in-law", "father-in-law"),
    "grandparents": ("grandmother", "grandfather"),
    "siblings": ("brother", "sister"),
    "children": ("son", "daughter", "child", "baby"),
    "grandchildren": ("grandson", "granddaughter", "grandchild"),
}
_SPOUSES: Final = ("husband", "wife", "spouse", "partner", "fiancé", "fiancée", "boyfriend", "girlfriend")


def word_set(text: str) -> frozenset[str]:
    """Words parted by spaces, as a set."""
    return frozenset(text.split())


TITLES: Final = word_set("""
dr doctor mr mrs ms miss mx prof professor sir dame rev reverend fr coach captain nurse sensei sifu guru señor
señora senhor senhora dona frau herr signor signora madame monsieur dra dott dottoressa uncle aunt auntie aunty
tante onkel tio tia zia zio oncle
""")
FAMILY_TITLES: Final = word_set("uncle aunt auntie aunty tante onkel tio tia zia zio oncle")

NAME_WORDS: Final = word_set("""
will mark may june april august summer autumn dawn rose grace joy hope faith art bill jack pat rob sue bob frank
rich drew sunny ray dean max chase guy miles wade cliff heath glen dale lane brook skip chip buck duke earl king
prince price ruby pearl amber crystal olive ivy lily daisy violet holly heather hazel poppy iris jasmine ginger sage
basil rosemary sandy misty stormy melody harmony destiny trinity angel chance christian pa ma an ana so do go can us
me mia ben la le mo jo al ed em ali sal val viv van von per jan mar sun sol bo rod nick tom tim pip kit cat dot bee
gene jean josh don ken hugh bea lee long song wing young ford bell cook baker hunter mason taylor carter cooper
parker miller smith berry cherry candy honey star sky rain river storm win wolf fox bear lion jay robin martin
phoenix paris london florence sydney austin dallas charlotte chelsea brooklyn savannah madison jordan israel india
asia china georgia virginia carolina lorraine vienna sienna roman milan adelaide victoria penny nat trip dash eve
noel carol merry lou liv
""")
"""First names and short forms that also say something else: they are names only with a capital."""

NOT_NAMES: Final = word_set("""
besos bisous bises bacio baci beijos beijinhos bjs abraço kuss gruß grüße hugs kisses xo xoxo darling dearest honey
i the a an my our your his her their this that these those it he she we they you who what when where why how and or
but so if then than as at by for from in into of off on onto out over to up with without after before about around
near today tonight tomorrow yesterday morning afternoon evening night noon midnight week weekend month year
christmas easter xmas eid diwali halloween thanksgiving hanukkah ramadan holi valentine's new year's eve day yes no
ok okay hi hello hey dear thanks thank cheers best love regards kind sincerely please sorry great happy lovely good
bad all both some any many much more most none one two three four five six seven eight nine ten first last next not
never always also just only even still again too very really quite pretty here there now soon later breakfast brunch
lunch dinner supper drinks coffee tea beer wine pizza pasta sushi curry cake birthday party wedding meeting call gym
run yoga swim walk hike ride class football tennis dentist doctor gp physio vet hospital surgery cinema theatre
concert gig show film movie museum zoo park beach pub bar cafe café restaurant hotel flight train bus airport
station office home house flat kitchen garden school work university college church library shop market mall apple
google amazon netflix spotify zoom teams slack whatsapp facebook instagram visa mastercard paypal klarna uber
english french german italian spanish portuguese irish british american indian chinese japanese korean thai mexican
greek turkish lebanese polish dutch australian re fwd fw ps pm am tv uk us usa eu nhs hr vip diy asap rsvp tbc tbd
everyone everybody someone somebody anyone nobody people friends family team crew guys girls boys lads colleagues
mates did do does is are was were be been has have had can could will would shall should might must let let's god
jesus santa lord total order booking invoice receipt ticket table room
""")
"""Capitalised words that are nobody's name where the profile does not say so, beside months and weekdays."""


def is_no_name(word: str) -> bool:
    """Whether a capitalised word, in small letters, is nobody's name where the profile does not say so."""
    return word in NOT_NAMES or word in english_names()


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the profile. `relation` is what the person is to the owner: mother, friend, mother-in-law."""

    name: str
    nicknames: tuple[str, ...] = ()
    relation: str | None = None


class Word(NamedTuple):
    """One word of a text at [start, end); `plain` is it without case and accents; `after` where "'s" behind it ends."""

    plain: str
    start: int
    end: int
    capital: bool
    after: int

    @property
    def possessive(self) -> bool:
        """Whether the word says whose something is: Ann's."""
        return self.after > self.end


class Call(NamedTuple):
    """One way to call somebody. `rank` 0: a full name or nickname, 1: a first name, 2: a short form or initial.

    Of relations ("sister"): `bare` where the word is used like a name ("Mum"), `group` where it means all `names`.
    """

    words: tuple[str, ...]
    names: tuple[str, ...]
    rank: int = 0
    relation: str | None = None
    bare: bool = True
    group: bool = False


@dataclass(frozen=True)
class Profile:
    """The person whose life it is, and the people around."""

    owner: Person | None = None
    people: tuple[Person, ...] = ()

    @cached_property
    def calls(self) -> Mapping[str, tuple[Call, ...]]:
        """Everything that people are called, by its first word, the longest first. The owner's calls name nobody."""
        return _by_first_word([*_name_calls(self), *_relation_calls(self)])

    @cached_property
    def by_name(self) -> Mapping[str, Person]:
        """People by their full names."""
        return {person.name: person for person in self.people}

    def related(self, relation: str) -> tuple[str, ...]:
        """Full names of the people of a relation ("mother"), or of a group of them ("parents")."""
        wanted = _SPOUSES if relation in _SPOUSES else _GROUPS.get(relation, (relation,))
        exact = [p.name for p in self.people if p.relation and canonical(p.relation) == relation]
        if exact and relation in _SPOUSES:
            return tuple(exact)
        return tuple(p.name for p in self.people if p.relation and canonical(p.relation) in wanted)


def words_in(text: str) -> Iterator[Word]:
    """The words of a text, hyphens and signs aside."""
    after = 0
    for found in _WORD.finditer(text):
        if found.start() < after:  # the s of a possessive
            continue
        behind = _POSSESSIVE.match(text, found.end())
        after = behind.end() if behind else found.end()
        word = found[0]
        plain = without_accents(word.casefold()).replace("’", "'")
        yield Word(plain, *found.span(), word[0].isupper(), after)


@lru_cache(maxsize=1 << 12)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in comparable form."""
    return tuple(word.plain for word in words_in(name))


@dataclass(frozen=True)
class _Relations:
    by_words: Mapping[tuple[str, ...], tuple[str, bool]] = field(default_factory=dict)


@lru_cache(maxsize=1)
def _relations() -> _Relations:
    """Words for relations: what they mean, and whether they are used like a name (ontology/lexicons/relations.ttl)."""
    content = files("reqap_kg.ontology").joinpath("lexicons", "relations.ttl").read_bytes()
    found: dict[tuple[str, ...], tuple[str, bool]] = {}
    for entry in read_entries([("relations.ttl", content)])[0]:
        for bare, cues in ((True, entry.cues), (False, entry.weak)):
            for cue in cues:
                found.setdefault(words_of(cue), (entry.value, bare))
    return _Relations(found)


def is_relation(word: str) -> bool:
    """Whether a word in comparable form is one for a relation: mum, sister."""
    return (word,) in _relations().by_words or (word.removesuffix("s"),) in _relations().by_words


@lru_cache(maxsize=256)
def canonical(relation: str) -> str:
    """A relation as profiles put it, by the lexicon's word for it: Mum → mother. Spouses keep what they are called."""
    plain = words_of(relation)
    if " ".join(plain) in {without_accents(spouse) for spouse in _SPOUSES}:
        return next(spouse for spouse in _SPOUSES if without_accents(spouse) == " ".join(plain))
    return _relations().by_words.get(plain, (relation.casefold(), False))[0]


def _by_first_word(calls: Iterable[Call]) -> Mapping[str, tuple[Call, ...]]:
    best: dict[tuple[tuple[str, ...], bool], Call] = {}
    for call in calls:
        if not call.words:
            continue
        place = (call.words, call.relation is not None)
        known = best.get(place)
        if known is None or _better(call, known):
            best[place] = call
        elif known.rank == call.rank and call.names and known.relation is None:
            best[place] = known._replace(names=tuple(dict.fromkeys(known.names + call.names)))
    found: defaultdict[str, list[Call]] = defaultdict(list)
    for call in best.values():
        found[call.words[0]].append(call)
    return {
        word: tuple(sorted(those, key=lambda call: (-len(call.words), call.relation is not None)))
        for word, those in found.items()
    }


def _better(call: Call, known: Call) -> bool:
    """Somebody else goes before the owner; a name before a short form of another name."""
    return (not call.names, call.rank) < (not known.names, known.rank)


def _name_calls(profile: Profile) -> Iterator[Call]:
    for person in profile.people:
        yield from _calls_of(person, (person.name,))
    if profile.owner:
        yield from _calls_of(profile.owner, ())


def _calls_of(person: Person, names: tuple[str, ...]) -> Iterator[Call]:
    full = words_of(person.name)
    relations = _relations().by_words
    yield Call(full, names)
    for nickname in person.nicknames:
        nick = words_of(nickname)
        if nick not in relations:
            yield Call(nick, names)
    if len(full) < 2:
        return
    first, rest = full[0], full[1:]
    if (first,) not in relations:
        yield Call((first,), names, 1)
    for word in rest:
        if len(word) > 3 or word is rest[-1]:
            yield Call((first, word), names)
            yield Call((first[0], word), names, 2)
    for short in _short_forms(first):
        yield Call((short,), names, 2)
        yield Call((short, rest[-1]), names)


@lru_cache(maxsize=1 << 12)
def _short_forms(first: str) -> frozenset[str]:
    folded = {without_accents(name): shorts for name, shorts in SHORT_FORMS.items()}
    return frozenset(map(without_accents, folded.get(first, frozenset())))


def _relation_calls(profile: Profile) -> Iterator[Call]:
    named: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for person in profile.people:
        for nickname in person.nicknames:
            named[words_of(nickname)].append(person.name)
    for words, (relation, bare) in _relations().by_words.items():
        names = tuple(named.get(words, ())) or profile.related(relation)
        group = relation in _GROUPS
        yield Call(words, names, 0, relation, bare, group)
        if not group and not bare:
            yield Call((*words[:-1], words[-1] + "s"), names, 0, relation, bare, group=True)
