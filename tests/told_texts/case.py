"""Texts in many voices that tell, or only seem to tell, of films, purchases and workouts; all invented.

Each is (kind, by whom, written, title, text, what it tells): `me` is the owner Ada Moreau, others are people of her
profile or firms. What it tells is a list of (day, value); empty for a plan, a wish, somebody else's doing.
"""

from __future__ import annotations

Case = tuple[str, str, str, str, str, list[tuple[str, str]]]
