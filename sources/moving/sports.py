"""What trackers call sports, as the words of the lexicon: `Ride`, `biking` and `Radfahren` are cycling."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_vehicle", "sport_name"]

_SPORTS: Final = {
    "running": "run|jog|jogging|lauf|laufen|straßenlauf|course à pied|course|carrera|corsa|hardlopen|corrida"
    "|track running|street running|outdoor run|bahnlauf|cross country running",
    "trail running": "trail run|trailrunning|trail|traillauf",
    "treadmill running": "treadmill|virtual run|indoor running|laufband|laufbandtraining|indoor run|virtual running"
    "|tapis de course|tapis roulant",
    "walking": "walk|gehen|spaziergang|marche|caminata|caminar|camminata|wandelen|walking fitness|casual walking"
    "|speed walking|outdoor walk",
    "hiking": "hike|wandern|wanderung|randonnée|senderismo|escursionismo",
    "cycling": "ride|biking|bike|bike ride|road biking|road cycling|road bike|radfahren|radfahrt|rennradfahren|vélo"
    "|cyclisme|ciclismo|fietsen|bicycle|outdoor bike|gravel ride|gravel cycling|gravel biking|cycling transportation"
    "|commuting|cyclocross|cyclisme sur route|outdoor cycling|bicicletta",
    "e-bike ride": "e bike ride|e biking|ebikeride|e bike fitness|e bike mountain|ebiking",
    "mountain biking": "mountain bike ride|mountain bike|mountainbiken|mountainbike|e mountain bike ride|vtt",
    "indoor cycling": "virtual ride|indoor biking|indoor ride|spinning|spin bike|stationary bike|stationary biking"
    "|indoor radfahren|cyclisme en salle|virtual cycling|biking stationary|biking spinning",
    "swimming": "swim|schwimmen|natation|natación|nuoto|zwemmen",
    "pool swimming": "lap swimming|pool swim|schwimmbadschwimmen|pool swimming|natation en piscine|nuoto in piscina"
    "|natación en piscina|swimming pool",
    "open water swimming": "open water|open water swim|freiwasserschwimmen|swimming open water|eau libre",
    "strength training": "weight training|weights|weightlifting|krafttraining|musculation|entrenamiento de fuerza"
    "|entrenamiento de la fuerza|strength|kraftsport|traditional strength training|allenamento della forza"
    "|weight machines",
    "yoga": "yoga",
    "pilates": "pilates",
    "rowing": "row|virtual row|rudern|aviron",
    "indoor rowing": "rowing machine|indoor rowing",
    "climbing": "rock climbing|rock climb|bouldering|indoor climbing|klettern|escalade",
    "football": "soccer",
    "American football": "football american",
    "skiing": "alpine ski|downhill skiing|resort skiing|ski|resort skiing snowboarding|ski alpin|alpine skiing"
    "|skiing downhill",
    "cross-country skiing": "nordic ski|cross country skiing|cross country skiing classic|skilanglauf"
    "|skiing cross country|cross country classic skiing",
    "ski touring": "backcountry ski|backcountry skiing",
    "snowboarding": "snowboard",
    "snowshoeing": "snowshoe",
    "skating": "ice skate|inline skate|inline skating|ice skating|skating inline",
    "surfing": "surf",
    "kayaking": "kayak|kayaking|kajak",
    "canoeing": "canoe",
    "stand-up paddling": "stand up paddling|standup paddling|stand up paddleboarding|stand up paddle boarding",
    "elliptical": "elliptical trainer|crosstrainer|elliptique",
    "stair climbing": "stair stepper|stair climbing|stair climbing machine|floor climbing",
    "high intensity interval training": "hiit|interval training|circuit training|high intensity interval training",
    "cardio": "indoor cardio|cardio training|cardio",
    "golf": "golf",
    "tennis": "tennis",
    "dancing": "dance|dancing",
    "boxing": "boxing",
    "meditation": "meditation",
    "horse riding": "horseback riding",
    "other": "|unknown|other|generic|autre|sonstige|andere|otro|altro|uncategorized|workout|sport|other activity",
}
_NAMES: Final = {name: sport for sport, names in _SPORTS.items() for name in [sport.lower(), *names.split("|")]}
_VEHICLES: Final = frozenset(
    {"car", "driving", "drive", "taxi", "bus", "train", "tram", "metro", "subway", "airplane", "plane", "flight"}
    | {"flying", "boat", "ferry", "motorcycle", "scooter", "vehicle", "in vehicle", "in passenger vehicle", "in train"}
    | {"in bus", "in subway", "in tram", "in ferry", "transport", "tractor", "motorcycling", "motorized vehicle"}
)
_PIECES = re.compile(r"[\s_/.,()-]+|(?<=[a-zäöüéè])(?=[A-ZÄÖÜ])")


def _words(text: str) -> str:
    return " ".join(part for part in _PIECES.split(text.strip()[:100]) if part).lower()


def sport_name(text: str) -> str:
    """The sport in lower-case words, as the lexicon calls it where it knows it; `other` where none is told."""
    words = _words(text)
    return _NAMES.get(words, words)


def is_vehicle(text: str) -> bool:
    """Whether a kind of movement is a journey in or on something with an engine, which is no workout."""
    return _words(text) in _VEHICLES
