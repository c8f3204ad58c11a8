"""Texts about what did not happen to the person: called off, planned, wished for, somebody else's, advertised."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from .accounts import Account, span, written
from .catalogue import stock
from .diary import World
from .grammar import Grammar
from .slots import money, stated
from .voice import Voice


def distractors(world: World, rng: random.Random, own: Voice) -> Iterator[Account]:
    """Some twenty-five a year, more in an eventful life."""
    grammar = Grammar(stock("texts"))
    for rule, a_year in (("calendar not", 4), ("mail not", 6), ("post not", 6), ("advert", 7), ("note not", 0.6)):
        for _ in range(world.repeats(a_year * world.factor)):
            at = world.at(world.day(), 8, 22) + timedelta(seconds=rng.randrange(300))
            values = _values(world, rng)
            found = grammar.expand(rng, rule, values)
            if found is None or not world.past(at + timedelta(hours=2)):
                continue
            names = [value for value in values.values() if value]
            text = found[0] if "advert" in rule else own.write(rng, found[0], names)
            made = _account(rule, text, at, (grammar, world, rng, values))
            yield replace(made, stated=(stated(values, found[1]),))


def _account(rule: str, text: str, at: datetime, made: tuple[Grammar, World, random.Random, dict[str, str]]) -> Account:
    grammar, world, rng, values = made
    who = world.persona

    def line(other: str) -> str:
        return (grammar.expand(rng, other, values) or ("", frozenset()))[0]

    if rule == "calendar not":
        at = at.replace(minute=0, second=0)
        keys = {"summary": text, "location": "", "description": line("calendar not note")}
        return Account(at, {"source": "calendar", **span(at, at + timedelta(hours=1, minutes=30)), **keys})
    if rule == "post not":
        return Account(at, written("social_media", at, text=text))
    if rule == "note not":
        return Account(at, written("note", at, title=line("note not title"), text=text))
    if rule == "advert":
        keys = {"sender": values["shop"], "recipient": who.name, "subject": line("advert subject"), "text": text}
        return Account(at, written("mail", at, **keys))
    known = [p.name for p in who.known(at.date())]
    keys = {"sender": who.name, "recipient": rng.choice(known), "subject": line("subject"), "text": text}
    return Account(at, written("mail", at, **keys))


def _values(world: World, rng: random.Random) -> dict[str, str]:
    who, media, life = world.persona, stock("media"), stock("life")
    goods = rng.choice(list(media["category"].values()))
    product = rng.choice(list(goods["products"]))
    films = rng.sample(list(media["films"]), k=2)
    one = rng.choice(who.friends or who.family)
    return {
        "act": rng.choice(list(life["activity"])), "one": one.called,
        "pl": world.place(rng.choice(("restaurant", "music venue", "theatre")))[0],
        "trip_city": rng.choice(life["trip"])["city"], "race_city": rng.choice(life["trip"])["city"], "film": films[0],
        "film2": films[1],
        "dow": rng.choice(("Monday", "Tuesday", "Thursday", "Friday", "Saturday")),
        "a_thing": product if product.startswith(("A ", "The ")) else f"the {product}",
        "excuse": rng.choice(stock("texts")["excuse"]), "kin": rng.choice(("brother", "neighbour", "boss", "cousin")),
        "dish": rng.choice(life["food"]["cuisine"][rng.choice(list(life["food"]["cuisine"]))]), "first": who.first,
        "shop": rng.choice(goods["shops"]), "product": product,
        "price": money(goods["products"][product], who.currency),
        "city_home": who.city, "topic": rng.choice(("plans", "next week", "sorry", "weekend", "a question")),
    }  # fmt: skip
