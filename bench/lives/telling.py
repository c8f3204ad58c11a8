"""Puts canonical events into words: calendar entries, mails, posts and notes, some of them twice."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, time, timedelta
from typing import Final

from .accounts import Account, Told, record, span, written
from .canonical import is_text_type
from .catalogue import stock, weighted
from .diary import Row, World
from .grammar import Grammar
from .persona import Persona
from .slots import attributes, slots, stated, when
from .voice import Voice, voice

TWICE: Final = 0.25
"""Share of what texts say that is said a second time elsewhere."""
_TEXT_ONLY, _BOTH = 0.08, 0.16
_RESERVED: Final = 0.5
"""Share of what is told twice, in restaurants, that a reservation tells."""
_SOURCES: Final[Mapping[str, Mapping[str, float]]] = {
    "meeting": {"calendar": 60, "mail": 16, "post": 14, "thanks": 6, "invite": 6},
    "celebration": {"calendar": 50, "mail": 25, "post": 25},
    "doctor_appointment": {"calendar": 55, "official": 33, "mail": 12},
    "milestone": {"calendar": 35, "mail": 35, "post": 30},
    "trip": {"calendar": 50, "official": 35, "mail": 15},
    "trip_event": {"calendar": 45, "post": 40, "mail": 15},
    "workout": {"calendar": 15, "mail": 30, "post": 30, "note": 25},
    "movie_stream": {"calendar": 15, "mail": 30, "post": 30, "note": 25},
    "online_purchase": {"official": 50, "mail": 28, "note": 22},
}
"""How often an event of each type is told where; `thanks`: a mail of whoever was there, `invite`: one of theirs before,
`official`: of a firm."""
_RULE: Final = {
    "doctor_appointment": "doctor", "milestone": "", "meeting": "", "celebration": "", "trip": "trip",
    "trip_event": "trip_event",
    "workout": "workout", "movie_stream": "film", "online_purchase": "purchase",
}  # fmt: skip


class Teller:
    """Tells the events of one life."""

    def __init__(self, world: World, rng: random.Random, own: Voice) -> None:
        self._who: Persona = world.persona
        self._rng = rng
        self._grammar = Grammar(stock("texts"))
        self._own = own
        self._voices: dict[str, Voice] = {p.name: voice(rng) for p in world.persona.friends}

    def accounts(self, rows: Iterable[Row]) -> Iterator[Account]:
        """All observables of the events."""
        logs: dict[tuple[str, int, int], list[Row]] = defaultdict(list)
        for row in rows:
            if row["type"] in ("music_stream", "tvseries_stream"):
                yield record(row, self._who)
                continue
            chance = 0.0 if is_text_type(row) else self._rng.random()
            if chance >= _TEXT_ONLY:
                yield record(row, self._who)
            if chance < _BOTH:
                yield from self._told(row, logs)
        for (kind, *_), told in logs.items():
            yield from self._note(kind, told)

    def _told(self, row: Row, logs: dict[tuple[str, int, int], list[Row]]) -> Iterator[Account]:
        sources = dict(_SOURCES[row["type"]])
        made = False
        while sources:
            source = weighted(self._rng, sources)
            del sources[source]
            if source == "note":
                logs[row["type"], row["start"].year, (row["start"].month - 1) // 3].append(row)
            elif (account := self._account(source, row)) is not None:
                yield account
            else:
                continue
            if made or self._rng.random() > TWICE:
                return
            made = True
            if row.get("place_type") == "restaurant" and row["type"] == "meeting":
                sources = {"official": 1.0} if self._rng.random() < _RESERVED else sources

    def _account(self, source: str, row: Row) -> Account | None:
        if source == "calendar":
            return self._calendar(row)
        if source == "official":
            return self._official(row)
        if source == "invite":
            return self._invite(row)
        return self._thanks(row) if source == "thanks" else self._written(source, row)

    def _topic(self, row: Row) -> str:
        return _RULE[row["type"]] or str(row.get("activity") or row.get("occasion") or row["kind"])

    def _calendar(self, row: Row) -> Account | None:
        values, topic = slots(row, self._who), self._topic(row)
        title = self._grammar.expand(self._rng, f"plan {topic}", values)
        if title is None:
            return None
        rule = {"meeting": "note meeting", "celebration": "note celebration"}.get(row["type"], f"note {topic}")
        note = self._grammar.expand(self._rng, rule, values) if rule in self._grammar else None
        text, used = note or ("", frozenset())
        if row["type"] == "trip_event":
            text, used = row["kind"] + (f", {row['dish']}" if row["dish"] else ""), frozenset(("kind", "dish", "city"))
        place = (
            row["city"]
            if row["type"] in ("milestone", "trip_event")
            else row.get("place") or row.get("destination_city") or ""
        )
        said = title[1] | used | ({"place"} if row.get("place") else set())
        keys = {"summary": title[0], "location": place, "description": text}
        shown = {"source": "calendar", **span(row["start"], row["end"]), **keys}
        return Account(row["start"], shown, (Told(row, attributes(row, said), exact=True),))

    def _moment(self, row: Row) -> datetime | None:
        """When somebody writes about it: mostly the same or the next day."""
        delay = self._rng.choices((0, 1, 2, 3, 5, 12), weights=(35, 40, 10, 7, 5, 3))[0]
        at = row["end"] + timedelta(minutes=self._rng.randint(15, 150))
        if delay or at.hour < 7 or at.date() != row["end"].date():
            at = datetime.combine(row["end"].date() + timedelta(days=max(1, delay)), time(7)) + timedelta(
                minutes=self._rng.randrange(900)
            )
        at = at.replace(second=self._rng.randrange(60))
        return at if at < self._who.now else None

    def _body(self, row: Row, at: datetime) -> tuple[str, frozenset[str]] | None:
        """What happened, in a sentence or three."""
        rng, values, topic = self._rng, slots(row, self._who), self._topic(row)
        rule = "did doctor for" if values.get("patient") else f"did {topic}"
        did = self._grammar.expand(rng, rule, values)
        if did is None:
            return None
        said, used = did
        if row["type"] != "trip":
            day = when(row["start"], at)
            late = row["type"] != "milestone" and not said.endswith(")") and rng.random() < 0.4
            said = f"I {said} {day}." if late else f"{day[0].upper()}{day[1:]} I {said}."
        else:
            said = f"I {said}."
        place = f"At {values['place']}." if "place" not in used and row["type"] == "doctor_appointment" else ""
        extra = {
            "meeting": "ate", "trip_event": "ate trip", "celebration": "feast", "workout": "hr workout",
            "movie_stream": "view film"
        }.get(row["type"])  # fmt: skip
        parts = [(said, used), (place, frozenset({"place"} if place else ()))]
        parts += [self._grammar.expand(rng, extra, values) or ("", frozenset())] if extra else []
        parts += (
            [self._grammar.expand(rng, "presents", values) or ("", frozenset())] if row["type"] == "celebration" else []
        )
        return " ".join(text for text, _ in parts if text), frozenset().union(*(slots_ for _, slots_ in parts))

    def _line(self, rule: str, row: Row) -> str:
        values = slots(row, self._who) | {"topic": row.get("name") or self._topic(row).replace("_", " ") or "news"}
        found = self._grammar.expand(self._rng, rule, values)
        return found[0] if found else ""

    def _written(self, source: str, row: Row) -> Account | None:
        at = self._moment(row)
        body = self._body(row, at) if at else None
        if at is None or body is None:
            return None
        values = slots(row, self._who)
        names = [str(value) for value in values.values() if value]
        kept = (stated(values, body[1]),)
        told = Told(row, attributes(row, body[1]), exact=False)
        if source == "post":
            text = " ".join(filter(None, (body[0], self._line("comment", row), self._line("tag", row))))
            post = self._own.write(self._rng, text, names)
            return Account(at, written("social_media", at, text=post), (told,), kept)
        to = self._reader(row)
        text = " ".join(
            filter(None, (self._line("opener", row), body[0], self._line("comment", row), self._line("question", row)))
        )
        mail = self._own.mail(self._rng, text, self._who.called(to), self._who.first, [*names, self._who.first, to])
        keys = {"sender": self._who.name, "recipient": to, "subject": self._line("subject", row), "text": mail}
        return Account(at, written("mail", at, **keys), (told,), kept)

    def _reader(self, row: Row) -> str:
        """Somebody who was not there."""
        there = set(row.get("participants") or ())
        known = [
            p.name
            for p in self._who.known(row["start"].date())
            if p.name not in there and p.name != row.get("gift_for")
        ]
        return self._rng.choice(known or [p.name for p in self._who.family])

    def _thanks(self, row: Row) -> Account | None:
        """The mail of the one who was there too."""
        people, at = row["participants"], self._moment(row)
        if at is None or len(people) != 1:
            return None
        day = when(row["start"], at)
        values = slots(row, self._who) | {
            "when": day,
            "when_up": day.removeprefix("on ").capitalize(),
        }
        text, used = self._grammar.expand(self._rng, "thanks meeting", values) or ("", frozenset())
        place = (
            f"{row['place']} was a good choice."
            if row["place"] and row["place_type"] != "home" and self._rng.random() < 0.6
            else ""
        )
        body = " ".join(filter(None, (text, place, self._line("comment", row), self._line("question", row))))
        own = self._voices.get(people[0], self._own)
        mail = own.mail(
            self._rng, body, self._who.first, self._who.called(people[0]), [self._who.name, *people, str(row["place"])]
        )
        said = attributes(row, used | {"who", "activity"} | ({"place"} if place else set()))
        keys = {"sender": people[0], "recipient": self._who.name, "subject": self._line("subject", row), "text": mail}
        kept = stated(values, used | ({"place"} if place else set()))
        return Account(at, written("mail", at, **keys), (Told(row, said, exact=False),), (kept,))

    def _invite(self, row: Row) -> Account | None:
        """A mail beforehand by the one who will be there too."""
        day = row["start"].date() - timedelta(days=self._rng.randint(1, 6))
        at = datetime.combine(day, time(8)) + timedelta(seconds=self._rng.randrange(50_000))
        if len(row["participants"]) != 1 or at < datetime.combine(self._who.begin, time()):
            return None
        name = row["participants"][0]
        values = slots(row, self._who) | ({"place": None} if row["place_type"] == "home" else {})
        text, used = self._grammar.expand(self._rng, "invite meeting", values) or ("", frozenset())
        body = " ".join(filter(None, (self._line("opener", row), text, self._line("question", row))))
        own = self._voices.get(name, self._own)
        mail = own.mail(
            self._rng, body, self._who.first, self._who.called(name), [self._who.name, name, str(row["place"])]
        )
        keys = {"sender": name, "recipient": self._who.name, "subject": self._line("subject", row), "text": mail}
        told = Told(row, attributes(row, used | {"who", "activity"}), exact=True)
        return Account(at, written("mail", at, **keys), (told,), (stated(values, used),))

    def _official(self, row: Row) -> Account | None:
        weeks = timedelta(days=-self._rng.randint(12, 60))
        rule, subject, sender, ahead = {
            "doctor_appointment": ("remind doctor", "remind subject", row.get("place"), timedelta(days=-2)),
            "trip": ("book trip", "remind subject", row.get("accommodation"), weeks),
            "meeting": ("book meeting", "book subject", row.get("place"), timedelta(days=-self._rng.randint(1, 9))),
            "online_purchase": ("order purchase", "order subject", row.get("shop"), timedelta(minutes=4)),
        }[row["type"]]  # fmt: skip
        at = row["start"] + ahead
        patient = {"patient": row["patient"]} if row["type"] == "doctor_appointment" else {}
        values = slots(row, self._who) | patient
        if (
            at < datetime.combine(self._who.begin, time())
            or (found := self._grammar.expand(self._rng, rule, values)) is None
        ):
            return None
        title = self._grammar.expand(self._rng, subject, values | {"place": str(sender)})
        keys = {
            "sender": str(sender),
            "recipient": self._who.name,
            "subject": title[0] if title else "",
            "text": found[0],
        }
        timed = row["type"] in ("doctor_appointment", "meeting")
        said = attributes(row, found[1] | {"place" if timed else "accommodation"})
        kept = stated(values, found[1])
        return Account(at, written("mail", at, **keys), (Told(row, said, exact=timed),), (kept,))

    def _note(self, kind: str, rows: list[Row]) -> Iterator[Account]:
        """A log of a quarter of a year: a line for each."""
        last = max(row["end"] for row in rows)
        at = datetime.combine(last.date() + timedelta(days=1), time(8)) + timedelta(minutes=self._rng.randrange(780))
        if at >= self._who.now:
            return
        lines, tells, kept = [], [], []
        form = self._rng.choice(("{0:%a} {0.day} {0:%B}: ", "{0.day} {0:%b}, ", "{0.day}/{0.month} {0:%A} – "))
        for row in sorted(rows, key=lambda one: one["start"]):
            values = slots(row, self._who)
            found = self._grammar.expand(self._rng, f"log {_RULE[kind]}", values)
            text, used = found or (
                str(row.get("product") or row.get("movie_title") or row.get("workout_type")),
                frozenset(),
            )
            day = form.format(row["start"])
            lines.append(day + text)
            kept.append((day.strip(), *(stated(values, used) or (text,))))
            tells.append(Told(row, attributes(row, used), exact=False))
        titles = {"workout": "training log", "movie_stream": "watched", "online_purchase": "online orders"}
        title = f"{titles[kind]} {last:%B %Y}" if self._rng.random() < 0.7 else titles[kind]
        yield Account(at, written("note", at, title=title, text="\n".join(lines)), tuple(tells), tuple(kept))
