"""What Google's activity says in its titles: a verb, in the language of the account, around what it was done to.

"Watched The Gap", "The Gap angesehen", "Je hebt naar The Gap gekeken".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["Title", "split_title"]


@dataclass(frozen=True, slots=True)
class Title:
    """What the verb of a title says was done (`watch`, `search`, `visit`; None for an unknown one), and to what."""

    verb: str | None
    what: str


_WATCH: Final = """
Watched … | Viewed … | Has watched … | … angesehen | Du hast … angesehen | Vous avez regardé … |
A regardé … | Has visto … | Se ha visto … | Viste … | Hai guardato … | Je hebt naar … gekeken |
… bekeken | Assistiu a … | Assistiu … | Viu … | Visualizou … | Tittade på … | Har tittat på … |
Så på … | Så … | Du så … | Katsoit videon … | … katsottiin | Obejrzano: … | Obejrzano … | Zhlédnuto: … |
Zhlédli jste video … | Megnézte: … | Ați vizionat … | Ai vizionat … | Гледахте … | Просмотрено видео … |
Вы посмотрели видео … | Вы посмотрели … | Просмотрено: … | Ви дивилися відео … | Ви переглянули … |
Παρακολουθήσατε το βίντεο … | … adlı videoyu izlediniz | … izlendi | … を視聴しました |
… 을(를) 시청했습니다. | … 을(를) 시청했습니다 | 观看了 … | 已观看 … | 已觀看 … | 看過 … | تمت مشاهدة … |
צפית ב- … | Ditonton … | Menonton … | Đã xem …
"""
_SEARCH: Final = """
Searched for … | Nach … gesucht | Du hast nach … gesucht | Gesucht nach … | Vous avez recherché … |
A recherché … | Has buscado … | Buscaste … | Se buscó … | Hai cercato … | Je hebt gezocht naar … |
Je hebt naar … gezocht | Gezocht naar … | Pesquisou por … | Pesquisou … | Sökte efter … |
Du sökte efter … | Søgte efter … | Søkte etter … | Haettiin: … | Haettu: … | Wyszukano: … | Wyszukano … |
Vyhledáno: … | Hledáno: … | Keresés: … | Ați căutat … | Ai căutat … | Търсихте … | Поиск: … |
Вы искали … | Ви шукали … | Αναζητήσατε … | … için arama yaptınız | … araması yapıldı | … を検索しました |
… 을(를) 검색했습니다. | … 을(를) 검색했습니다 | 搜索了 … | 已搜索 … | 搜尋了 … | 已搜尋 … |
تم البحث عن … | Menelusuri … | Đã tìm kiếm …
"""
_VISIT: Final = """
Visited … | … aufgerufen | … besucht | Vous avez consulté … | Vous avez visité … | Has visitado … |
Visitaste … | Hai visitato … | Je hebt … bezocht | Visitou … | Besökte … | Besøgte … | Besøkte … |
Odwiedzono: … | Odwiedzono … | Navštíveno: … | Ați accesat … | Посещена страница … | Вы посетили … |
… ziyaret edildi | … にアクセスしました | … 방문함 | 访问了 … | 造訪了 …
"""


def _pairs() -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for verb, forms in (("watch", _WATCH), ("search", _SEARCH), ("visit", _VISIT)):
        for form in forms.split("|"):
            before, _, after = form.strip().partition("…")
            found.append((verb, before, after))
    return sorted(found, key=lambda pair: -len(pair[1]) - len(pair[2]))


_PAIRS: Final = _pairs()
_QUOTES: Final = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」"}


def split_title(text: str) -> Title:
    """The verb of a title and what is left of it; the longest form that fits counts."""
    for verb, before, after in _PAIRS:
        if text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after):
            what = text[len(before) : len(text) - len(after) if after else None].strip()
            if what and (before or after):
                return Title(verb, _unquoted(what))
    return Title(None, text)


def _unquoted(what: str) -> str:
    closing = _QUOTES.get(what[0], "")
    inner = what[1:-1]
    return inner.strip() if closing == what[-1] and inner.strip() and closing not in inner else what
