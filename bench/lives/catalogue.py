"""The stock that lives are made from: names, places, tastes, media, goods (`data/*.toml`)."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

_T = TypeVar("_T")
Table = Mapping[str, Any]


@cache
def stock(name: str) -> Table:
    """A file of the folder `data`, by its name without the ending."""
    return tomllib.loads((files(__name__.rpartition(".")[0]) / "data" / f"{name}.toml").read_text(encoding="utf-8"))


def stream(*parts: object) -> random.Random:
    """Random numbers of their own for each part of each life, so that a change in one leaves the others as they are."""
    return random.Random("/".join(map(str, parts)))


def some(rng: random.Random, among: Sequence[str], least: int, most: int) -> tuple[str, ...]:
    """Between `least` and `most` different ones, as many as there are."""
    return tuple(rng.sample(list(among), k=min(len(among), rng.randint(least, most))))


def weighted(rng: random.Random, weights: Mapping[_T, float]) -> _T:
    """One of the keys, by its weight."""
    return rng.choices(list(weights), weights=list(weights.values()))[0]


def filled(rng: random.Random, form: str, **given: str) -> str:
    """A form of `[place]` or `[travel]` with its blanks filled in."""
    places = stock("life")["place"]
    first, second = rng.sample(places["nouns"], k=2)
    culture = stock("people")["culture"][given.pop("culture", "british")]
    words = {
        "adj": rng.choice(places["adjectives"]),
        "noun": first,
        "noun2": second,
        "first": rng.choice(culture["female"].split()),
        "surname": rng.choice(culture["surnames"].split()),
    }
    return form.format(**(words | given))
