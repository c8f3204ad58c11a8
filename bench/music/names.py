"""What the invented catalogue of music is made of: parts of names by culture, countries, genres, words of titles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Culture:
    """How people and bands are called: given names of women and men, parts of family names, titles of albums."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    heads: tuple[str, ...]
    tails: tuple[str, ...]
    bands: tuple[str, ...]


def _words(text: str, between: str = " ") -> tuple[str, ...]:
    return tuple(text.split(between))


def _culture(women: str, men: str, heads: str, tails: str, bands: str) -> Culture:
    return Culture(_words(women), _words(men), _words(heads), _words(tails), _words(bands, "|"))


_BANDS = "The {a} {n}s|{a} {n} {c}|{f} {c}|{n} of {f}|The {f} {n}s"
CULTURES: Final = {
    "english": _culture(
        "Alice Bess Clara Della Edith Fern Greta Hattie Ivy June Kitty Lottie Mabel Nell Opal Pearl Ruth Sadie Thea",
        "Abel Basil Clyde Dexter Edgar Felix Gus Hal Isaac Jude Kit Lionel Milo Ned Otis Percy Rufus Silas Tobias",
        "Thistle Pember Quarn Hessle Wraxen Dunster Ockle Brammel Tarrin Fenwold Culver Merrow Addis Yelver Scarle",
        "combe wick ridge stead worth by dale mere toft croft",
        _BANDS,
    ),
    "nordic": _culture(
        "Åse Birgit Dagny Eira Frøydis Gunnvor Hjørdis Ingrid Jorunn Liv Märta Ragnhild Signe Torunn Ylva Åshild",
        "Ånund Bård Dag Eirik Frode Gaute Håkon Ivar Jørn Kåre Lasse Mårten Oddvar Rune Sjur Trygve",
        "Kvern Myrs Tverr Ørn Hegg Rauds Granå Skjel Utvå Bjørke Hval Steinø",
        "lid bråten vang haug nesset vika møllen sæter",
        "{f}s Orkester|{n} i {f}|{f} {c}|De {n}",
    ),
    "german": _culture(
        "Anneliese Bärbel Elke Friederike Gisela Heike Jutta Käthe Liesel Mechthild Renate Sigrun Ursel Waltraud",
        "Achim Bernd Detlef Egon Falk Gernot Hartmut Jörg Knut Lothar Meinolf Rüdiger Sönke Volkmar",
        "Finster Lauch Grübel Morgen Kessel Nuss Wolken Rohr Zaun Schwäb Ober Krähen",
        "bacher hölzl rieder mühlner wieser berger stätter",
        "Die {n}|{f} Kapelle|{f} und {f}|Ensemble {f}",
    ),
    "french": _culture(
        "Adèle Béatrice Céleste Delphine Élodie Françoise Hélène Inès Léonie Margaux Noémie Océane Solène Zoé",
        "Aurélien Benoît Cédric Étienne Fabrice Gaël Honoré Joël Loïc Maël Noël Raphaël Théo Yves",
        "Chant Malé Roch Verni Saulz Tréma Quérou Belvi Florè Gandre",
        "bert vigny rac cour lière zelles nac doux",
        "Les {n}s|{f} et fils|La {n}|Quatuor {f}",
    ),
    "spanish": _culture(
        "Amparo Belén Candela Dolores Encarnación Graciela Itziar Jimena Lucía Maribel Nieves Rocío Soledad Ximena",
        "Álvaro Baltasar Ciro Darío Efraín Fermín Gonzalo Íñigo Jacinto Lázaro Néstor Óscar Ramón Ulises",
        "Zarram Quintal Orel Montalb Villac Arroy Peral Cascab Guaram Tenor",
        "ueta arra eño izábal ante ondo úñez uelo",
        "Los {n}s|Orquesta {f}|{f} y los {n}s|Trío {f}",
    ),
    "italian": _culture(
        "Alessia Beatrice Chiara Donatella Fiorella Ginevra Ilaria Loredana Mirella Ornella Rosalba Tiziana",
        "Amedeo Bruno Corrado Domenico Ettore Fulvio Gualtiero Ivano Lamberto Osvaldo Remo Vasco",
        "Cand Mezz Pross Tramb Zavatt Quer Lomb Sbrig",
        "elloni arini etti aldi uccio orelli agna",
        "I {n}|Orchestra {f}|{f} Quartetto",
    ),
    "portuguese": _culture(
        "Antônia Benedita Conceição Dandara Eunice Fátima Iracema Jandira Luzia Marlene Rosângela Vitória",
        "Adão Benício Cícero Damião Estevão Gilmar Ignácio Joaquim Lázaro Moacir Raimundo Sebastião",
        "Cruz Mirand Figueir Sapuc Tabat Jaguar Itab Camp",
        "ão eira inho oso ema elos ira",
        "Os {n}s|Conjunto {f}|Trio {f}|{n} de {f}",
    ),
    "slavic": _culture(
        "Agnieszka Bożena Dobrochna Elżbieta Halina Jadwiga Květa Ludmila Małgorzata Růžena Stanislava Zdenka",
        "Bogusław Čestmír Dobromir Grzegorz Jaromír Kazimierz Lubomir Mieczysław Ondřej Przemysław Václav Zbigniew",
        "Brzez Kvap Ždár Lipow Mokr Sosn Chrob Zawor",
        "iński áček owiak ovič anek icki uška",
        "{f} Kapela|{n} {f}|Zespół {f}",
    ),
    "russian": _culture(
        "Аглая Варвара Галина Евдокия Зинаида Клавдия Лариса Надежда Раиса Устинья",
        "Аркадий Вадим Глеб Евсей Захар Климент Лука Назар Родион Федот",
        "Берёз Ветл Гречух Журавл Калин Лебед Мохн Рябин",
        "инец овской ушкин енский яев",
        "Ансамбль «{f}»|{f} и {f}|Оркестр {f}",
    ),
    "greek": _culture(
        "Αγλαΐα Βασιλική Δέσποινα Ευανθία Καλλιόπη Μυρσίνη Πηνελόπη Χρυσάνθη",
        "Αναστάσιος Βαγγέλης Διομήδης Ευριπίδης Λεωνίδας Μενέλαος Περικλής Χαρίλαος",
        "Καραμ Πετρ Μαυρ Αλων Σταφ Θαλασσ",
        "ίδης άκης όπουλος ιάδης έλης",
        "Οι {f}|{f} και {f}",
    ),
    "japanese": _culture(
        "Ayumi Chizuru Emi Fumiko Haruka Kōko Mitsuki Natsumi Sōko Tomoe Yūna Yukari",
        "Daisuke Eiji Gorō Hideaki Jōji Kōhei Masaru Nobuo Ryūta Shūji Tetsuo Yūto",
        "Kiri Hira Mizu Tsuki Ona Shira Kuro Fuka Haya Iwa",
        "segawa nohara sugi zawa matsu nobe gishi moto",
        "{f} {n} {c}|{n} Gakudan|{f} to {f}",
    ),
    "korean": _culture(
        "Bo-ra Da-eun Ga-ram Ha-neul Mi-sook Na-rae Seo-yun Ye-rin",
        "Chang-ho Do-hyun Gil-su In-ho Jae-min Min-jun Sang-u Tae-yang",
        "Nam Seon Dok Hwang Eo Pyo Jegal Mok",
        "gung u go bo sa",
        "{n} {c}|{f} {n}s",
    ),
    "indian": _culture(
        "Ambika Bhavani Chandrika Damayanti Gayatri Indira Kamala Lalita Madhavi Padma Sarojini Vasudha",
        "Anand Bhaskar Chandran Dinesh Gopal Harish Jagdish Madhav Narayan Prakash Suresh Venkat",
        "Chitra Vana Pali Tara Mandra Jala Kusha Deva",
        "swami puri karan wala nath mangalam",
        "{f} Gharana|{f} Sisters|{f} {c}",
    ),
    "african": _culture(
        "Abẹ́ní Adwoa Bintou Ẹniọlá Fatoumata Ìyábọ̀ Kadiatou Mariame Nnenna Oumou Thandiwe Yetunde",
        "Adéwálé Bakary Chukwudi Djibril Kọ́lá Ibrahima Kwabena Mamadou Olúmidé Sekou Tendai Youssouf",
        "Ade Olu Dia Kou Mba Nko Sisso Bala",
        "mide yemi batou rokho nguema kwasi fola",
        "Orchestre {f}|{f} et les {n}s|{f} All Stars",
    ),
}
"""By name. In the patterns for bands: {f} a family name, {a} an adjective, {n} a noun, {c} what a group is called."""

COUNTRIES: Final = """United States|American|North America|english|30
United Kingdom|British|Europe|english|15
Canada|Canadian|North America|english|5
Ireland|Irish|Europe|english|2
Australia|Australian|Oceania|english|4
New Zealand|New Zealander|Oceania|english|1.5
Jamaica|Jamaican|North America|english|2
Germany|German|Europe|german|8
Austria|Austrian|Europe|german|2
Norway|Norwegian|Europe|nordic|2.5
Sweden|Swedish|Europe|nordic|4
Denmark|Danish|Europe|nordic|1.5
Iceland|Icelandic|Europe|nordic|0.7
France|French|Europe|french|6
Belgium|Belgian|Europe|french|1.5
Haiti|Haitian|North America|french|0.4
Spain|Spanish|Europe|spanish|3
Mexico|Mexican|North America|spanish|2.5
Argentina|Argentine|South America|spanish|2
Colombia|Colombian|South America|spanish|1.2
Cuba|Cuban|North America|spanish|1.2
Italy|Italian|Europe|italian|4
Brazil|Brazilian|South America|portuguese|4
Portugal|Portuguese|Europe|portuguese|1
Poland|Polish|Europe|slavic|2
Czechia|Czech|Europe|slavic|1.2
Russia|Russian|Europe|russian|2.5
Greece|Greek|Europe|greek|1
Japan|Japanese|Asia|japanese|7
South Korea|South Korean|Asia|korean|2
India|Indian|Asia|indian|2.5
Nigeria|Nigerian|Africa|african|1.2
Mali|Malian|Africa|african|0.8
Senegal|Senegalese|Africa|african|0.7
Ghana|Ghanaian|Africa|african|0.6"""
"""Name, nationality, continent, culture, how many artists come from there."""

GENRES: Final = (
    (
        "rock",
        "rock 14,indie rock 6,punk rock 4,progressive rock 2.5,psychedelic rock 2,garage rock 1.5,"
        "post-rock 1,krautrock 0.4",
        (1962, 1998),
        "",
    ),
    (
        "pop",
        "pop 12,synth-pop 3,indie pop 3,dance-pop 2,chanson 1,city pop 0.6,schlager 0.8",
        (1950, 2004),
        "chanson=France,Belgium;city pop=Japan;schlager=Germany,Austria",
    ),
    (
        "jazz",
        "jazz 7,bebop 1.5,cool jazz 1,jazz fusion 1.2,free jazz 0.8,swing 1.2,gypsy jazz 0.2",
        (1900, 1990),
        "",
    ),
    (
        "classical",
        "classical 6,opera 2,baroque 0.8,minimalism 0.5,choral music 0.6",
        (1850, 1992),
        "opera=Italy,Germany,Austria",
    ),
    (
        "electronic",
        "house 4,techno 4,ambient 2.5,drum and bass 1.2,trance 1,downtempo 0.8,breakcore 0.2",
        (1958, 2002),
        "techno=Germany",
    ),
    (
        "hip hop",
        "hip hop 7,trap 1.5,conscious hip hop 0.8,boom bap 0.8,drill 0.4",
        (1964, 2004),
        "",
    ),
    (
        "folk",
        "folk 4,singer-songwriter 3,Celtic folk 0.8,nordic folk 0.4,klezmer 0.2,fado 0.4",
        (1925, 1999),
        "nordic folk=Norway,Sweden,Denmark,Iceland;Celtic folk=Ireland;fado=Portugal",
    ),
    (
        "metal",
        "heavy metal 3,death metal 1.5,black metal 1.2,doom metal 0.8,power metal 0.6",
        (1952, 1999),
        "black metal=Norway,Sweden",
    ),
    (
        "soul",
        "soul 2.5,contemporary R&B 3,funk 1.5,neo soul 0.8",
        (1932, 2001),
        "",
    ),
    (
        "country music",
        "country music 3.5,bluegrass 1,honky tonk 0.4",
        (1915, 1998),
        "country music=United States,Canada",
    ),
    (
        "blues",
        "blues 1.8,delta blues 0.4,blues rock 0.8",
        (1895, 1980),
        "",
    ),
    (
        "Latin",
        "salsa 1.2,samba 1,bossa nova 0.8,tango 0.6,cumbia 0.8,mariachi 0.4",
        (1905, 1998),
        "samba=Brazil;bossa nova=Brazil;tango=Argentina;salsa=Cuba,Colombia;cumbia=Colombia;mariachi=Mexico",
    ),
    (
        "reggae",
        "reggae 1.5,dub 0.8,ska 0.8,dancehall 0.6",
        (1936, 1996),
        "reggae=Jamaica;dub=Jamaica;dancehall=Jamaica",
    ),
    (
        "Afropop",
        "Afrobeat 0.6,highlife 0.4,desert blues 0.3",
        (1925, 2000),
        "Afrobeat=Nigeria;highlife=Ghana;desert blues=Mali,Senegal",
    ),
    (
        "experimental",
        "experimental 1.2,noise 0.6,musique concrète 0.2",
        (1920, 2000),
        "",
    ),
)
"""Families, their genres with how popular each is, when their artists were born, and where genres are at home."""

ADJECTIVES = _words(
    "Amber Sodden Paper Copper Velour Saffron Hollow Tidal Gingham Frosted Umber Lopsided Bashful Nocturnal"
)
NOUNS = _words(
    "Heron Lantern Orchard Weathervane Trellis Accordion Bicycle Thimble Cartographer Pelican Barometer Gondola"
)
CALLED = _words("Collective Regatta Society Brass Ensemble Syndicate Union Club Project Assembly Choir Band")
TITLE = _words(
    "Harbour Winter Letters Salt Morning Distance Sparrow Static Kitchen Mirrors Embers Ferry Silver Almanac"
)
TITLES = _words(
    "{0}|{0} and {1}|The {0} {1}|{0} for {f}|Songs of {0}|{1} in {0}|A {0} Without {1}|{f}|{0}, {2}|Live in {p}", "|"
)
PLACES = _words("Bergen Graz Porto Lyon Kraków Osaka Accra Dakar Recife Rosario Halifax Hobart Nagoya Gdańsk")
LABELS = _words(
    "Tin Kettle|Nightjar|Ferrous|Blue Pantry|Kontor Nord|Petit Matin|Cuatro Vientos|Long Acre|Moss & Sons|Owl Street",
    "|",
)
MAJORS = _words("Meridian|Parallax|Grand Union|Halcyon", "|")
