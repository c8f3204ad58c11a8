"""Text in the form in which what people write is compared."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=1 << 14)
def folded(text: str) -> str:
    """Lower case without accents, spaces of every kind as one plain space, dashes and minus signs as `-`."""
    spaced = " ".join(text.replace("−", "-").replace("–", "-").split())
    apart = unicodedata.normalize("NFKD", spaced.casefold())
    plain = "".join(c for c in apart if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
    return " ".join(plain.split())
