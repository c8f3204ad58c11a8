"""Single mistakes: what is changed at one place of the trams' folder, and what must be told of it."""

from __future__ import annotations

from typing import NamedTuple


class Mistake(NamedTuple):
    """One edit: `old` stands once in the file. It is told on the line of the edit, or so many lines behind it."""

    file: str
    old: str
    new: str
    told: str
    nearest: str | None = None
    later: int = 0


DOMAIN, ONTOLOGY, MAP = "domain.ttl", "ontology.ttl", "maps/trams.ttl"
PATTERNS, RULES, PROFILE, CASES = "patterns/trams.ttl", "rules/trams.ttl", "profile.ttl", "questions.ttl"

MISTAKES = (
    # ---------------------------------------------------------------- domain.ttl
    Mistake(DOMAIN, '"warehouse"', '"warehose"', "pg:ruleSet", '"warehouse"'),
    Mistake(DOMAIN, "pg:ruleSet", "pg:rulesSet", "pg:rulesSet", "pg:ruleSet"),
    Mistake(DOMAIN, "pg:Domain", "pg:Domian", "pg:Domian", "pg:Domain"),
    # ---------------------------------------------------------------- terms of the ontology
    Mistake(ONTOLOGY, 'wh:aggregate "sum"', 'wh:agregate "sum"', "wh:agregate", "wh:aggregate"),
    Mistake(ONTOLOGY, "wh:rollsUpTo", "wh:rollUpTo", "wh:rollUpTo", "wh:rollsUpTo"),
    Mistake(
        ONTOLOGY,
        "tram:riders a owl:DatatypeProperty, qb:MeasureProperty",
        "tram:riders a owl:DatatypeProperty, qb:MesureProperty",
        "qb:MesureProperty",
        "qb:MeasureProperty",
    ),
    Mistake(ONTOLOGY, 'rdfs:label "fare"', 'rdfs:lable "fare"', "rdfs:lable", "rdfs:label"),
    Mistake(ONTOLOGY, 'skos:altLabel "station"', 'skos:altLable "station"', "skos:altLable", "skos:altLabel"),
    Mistake(ONTOLOGY, "ev:formula", "ev:formular", "ev:formular", "ev:formula"),
    Mistake(ONTOLOGY, "ev:labelProperty tram:line", "ev:labelProperty tram:lin", "tram:lin", "tram:line"),
    Mistake(
        ONTOLOGY,
        "owl:propertyChainAxiom ( tram:from rdfs:label )",
        "owl:propertyChain ( tram:from rdfs:label )",
        "owl:propertyChain",
        "owl:propertyChainAxiom",
    ),
    # ---------------------------------------------------------------- values of the ontology
    Mistake(ONTOLOGY, 'wh:aggregate "avg"', 'wh:aggregate "avrg"', "wh:aggregate", '"avg"'),
    Mistake(ONTOLOGY, "unit:MIN", "unit:MINN", "unit:MINN", "unit:MIN"),
    Mistake(ONTOLOGY, "wh:weight tram:riders", "wh:weight tram:rider", "tram:rider", "tram:riders"),
    Mistake(ONTOLOGY, "wh:of tram:line", "wh:of tram:lines", "wh:of", "tram:line"),
    Mistake(ONTOLOGY, " ; wh:of tram:line .", " .", "wh:aggregate", None),
    Mistake(ONTOLOGY, "wh:preference 0.9", "wh:preference 9", "wh:preference", None),
    Mistake(ONTOLOGY, "wh:rollsUpTo tram:district", "wh:rollsUpTo tram:distrikt", "tram:distrikt", "tram:district"),
    Mistake(ONTOLOGY, "wh:rollsUpTo tram:district", "wh:rollsUpTo tram:opened", "of other fact tables", None),
    Mistake(ONTOLOGY, "wh:rollsUpTo tram:district", "wh:rollsUpTo tram:stop", "goes round", None),
    Mistake(
        ONTOLOGY,
        'rdfs:label "stop name" ; skos:altLabel "station" ; wh:kind "place"',
        'rdfs:label "stop name" ; skos:altLabel "station" ; wh:kind "palce"',
        "wh:kind",
        '"place"',
    ),
    Mistake(
        ONTOLOGY,
        "tram:Stop a owl:Class ; rdfs:subClassOf qb:Observation",
        "tram:Stop a owl:Class ; rdfs:subClassOf qb:Observations",
        "qb:Observations",
        "qb:Observation",
    ),
    Mistake(
        ONTOLOGY,
        'rdfs:label "fare" ; rdfs:domain tram:Ride',
        'rdfs:label "fare" ; rdfs:domain tram:Rides',
        "tram:Rides",
        "tram:Ride",
    ),
    Mistake(
        ONTOLOGY,
        'rdfs:label "line" ; rdfs:domain tram:Ride ; rdfs:range xsd:string',
        'rdfs:label "line" ; rdfs:domain tram:Ride ; rdfs:range xsd:sting',
        "xsd:sting",
        "xsd:string",
    ),
    Mistake(
        ONTOLOGY,
        'rdfs:range xsd:integer ; wh:aggregate "sum"',
        'rdfs:range xsd:string ; wh:aggregate "sum"',
        "rdfs:range xsd:string",
        None,
    ),
    Mistake(ONTOLOGY, 'rdfs:label "minutes" ;', "", "tram:minutes has no rdfs:label", None),
    Mistake(ONTOLOGY, 'skos:altLabel "station"', 'skos:altLabel "district"', 'has the label "district"', None, 2),
    Mistake(
        ONTOLOGY,
        'rdfs:label "number of lines"',
        'rdfs:label "number of lines", "passenger"',
        'has the label "passenger"',
        None,
    ),
    # ---------------------------------------------------------------- formulas and chains
    Mistake(ONTOLOGY, '"?riders * ?fare"', '"?riders * ?fair"', "?fair, which is no property", "?fare"),
    Mistake(ONTOLOGY, '"?riders * ?fare"', '"(?riders * ?fare"', "ends too early", None),
    Mistake(ONTOLOGY, '"?riders * ?fare"', '"?riders * ?opened"', "does not have", None),
    Mistake(ONTOLOGY, '"?riders * ?fare"', '"?riders * ?takings"', "goes round", None),
    Mistake(ONTOLOGY, '"?riders * ?fare"', '"YEAR(?start, 1) * ?fare"', "", None),
    Mistake(ONTOLOGY, "tram:from tram:liesIn", "tram:from tram:lysIn", "tram:lysIn", "tram:liesIn"),
    # ---------------------------------------------------------------- maps
    Mistake(MAP, "rml:predicate tram:riders", "rml:predicate tram:ridders", "tram:ridders", "tram:riders"),
    Mistake(MAP, "rml:class tram:Ride", "rml:class tram:Rid", "tram:Rid", "tram:Ride"),
    Mistake(MAP, "rml:predicate ev:start", "rml:predicate ev:strat", "ev:strat", "ev:start"),
    Mistake(
        MAP, 'rml:source "data/rides.csv"', 'rml:source "data/ride.csv"', "no file data/ride.csv", "data/rides.csv"
    ),
    Mistake(MAP, 'rml:reference "riders"', 'rml:reference "rider"', "no column rider", "riders"),
    Mistake(MAP, "trams/ride/{id}", "trams/ride/{ids}", "no column ids", "id"),
    Mistake(
        MAP,
        'rml:objectMap [ rml:reference "district" ]',
        'rml:objectMap [ rml:refrence "district" ]',
        "rml:refrence",
        "rml:reference",
    ),
    Mistake(MAP, "fn:wallClock", "fn:wallClok", "fn:wallClok", "fn:wallClock"),
    Mistake(MAP, "rml:parameter fn:pattern", "rml:parameter fn:patern", "fn:patern", "fn:pattern"),
    Mistake(MAP, '"^(\\\\w+)"', '"^(\\\\w+"', "fn:pattern", None),
    Mistake(
        MAP, 'rml:reference "fare" ; rml:datatype xsd:decimal', 'rml:reference "fare"', "xsd:string for tram:fare", None
    ),
    Mistake(
        MAP,
        'rml:reference "fare" ; rml:datatype xsd:decimal',
        'rml:reference "fare" ; rml:datatype xsd:decimel',
        "xsd:decimel",
        "xsd:decimal",
    ),
    Mistake(
        MAP,
        '"data/stops.csv" ; rml:referenceFormulation rml:CSV',
        '"data/stops.csv" ; rml:referenceFormulation rml:CVS',
        "rml:CVS",
        "rml:CSV",
    ),
    # ---------------------------------------------------------------- patterns
    Mistake(PATTERNS, 'pg:extract "in (the)?', 'pg:extrct "in (the)?', "pg:extrct", "pg:extract"),
    Mistake(PATTERNS, "{y=yearNumber}", "{y=yearNumbr}", "yearNumbr", "yearNumber"),
    Mistake(PATTERNS, "{v=@Value}", "{v=@Valeu}", "annotated as Valeu", "Value"),
    Mistake(PATTERNS, "/pre\\\\d{4}/", "/pre(\\\\d{4}/", "", None),
    Mistake(PATTERNS, "fn:date(?y, 6, 1)", "fn:date(?y, 6)", "2 arguments", None),
    Mistake(PATTERNS, "fn:date(?y, 6, 1)", "fn:dat(?y, 6, 1)", "fn:dat", "fn:date"),
    Mistake(PATTERNS, "^[0-9]{4}$", "^[0-9{4}$", "regular expression", None),
    Mistake(
        PATTERNS, "BIND(tram:opened AS ?property)", "BIND(tram:openned AS ?property)", "tram:openned", "tram:opened"
    ),
    Mistake(PATTERNS, "pg:appliesTo tram:opened", "pg:appliesTo tram:open", "tram:open", "tram:opened"),
    Mistake(PATTERNS, "pg:confidence 0.9", "pg:confidence 90", "pg:confidence", None),
    Mistake(PATTERNS, 'pg:near "always"', 'pg:near "allways"', "pg:near", '"always"'),
    Mistake(PATTERNS, "pg:TimeRange", "pg:TimeRang", "pg:TimeRang", "pg:TimeRange"),
    # ---------------------------------------------------------------- rules
    Mistake(RULES, "sh:order 2", 'sh:order "ten"', "sh:order", None),
    Mistake(RULES, "pg:trigger tram:crowdAsked", "pg:trigger tram:crowdAskd", "tram:crowdAskd", "tram:crowdAsked"),
    Mistake(RULES, "qud:argName", "qud:argNmae", "qud:argNmae", "qud:argName"),
    Mistake(RULES, 'qud:query "ride"', 'qud:query "rde"', "no class is called", "ride"),
    Mistake(RULES, 'qud:names ("line"', 'qud:names ("lyne"', "no attribute lyne", "line"),
    Mistake(RULES, "qud:question ?other", "qud:question ?core", "its own question", None),
    Mistake(RULES, "?found a pg:Value", "?found a pg:Valu", "pg:Valu", "pg:Value"),
    Mistake(RULES, "BIND(CONCAT('lambda", "BIND(CONCATT('lambda", "", None),
    Mistake(RULES, "pg:filters ?filters .", "pg:filters ?filter .", "?filter is used once", "?filters", 0),
    Mistake(RULES, "pg:Question ; qud:question ?other", "pg:Question ; qud:question ?othr", "?othr", "?other"),
    # ---------------------------------------------------------------- data, profile and cases
    Mistake("data/rides.csv", "1,red,42", "1,red,many", "is kept out", None),
    Mistake(PROFILE, "Köln", "Koln", 'no tram:district "Koln"', '"Köln"'),
    Mistake(PROFILE, "tram:district", "tram:distrct", "tram:distrct", "tram:district"),
    Mistake(CASES, "pg:rule tram:crowd", "pg:rule tram:croud", "tram:croud", "tram:crowd"),
    Mistake(CASES, '["line"] == "red"', '["line"] == "rad"', 'no line "rad"', '"red"'),
    Mistake(CASES, 'attr_names=["line", "riders"],', 'attr_names=["line", "riderz"],', "no attribute riderz", "riders"),
    Mistake(CASES, "2025-06-10T12:00:00", "2025-16-10T12:00:00", "pg:now", None),
    Mistake(CASES, 'pg:answer "date"', 'pg:answer "dates"', "pg:answer", '"date"'),
    # ---------------------------------------------------------------- what several files have to agree on
    Mistake(
        ONTOLOGY, "reqap-kg/warehouse#>", "reqap-kg/warehous#>", "wh: is", "<https://w3id.org/reqap-kg/warehouse#>"
    ),
    Mistake(
        MAP, "<https://example.org/trams#>", "<https://example.org/tram#>", "tram: is", "<https://example.org/trams#>"
    ),
    Mistake(MAP, 'trams/stop/{stop}" ] ]', 'trams/stops/{stop}" ] ]', "tram:from links to"),
    Mistake(ONTOLOGY, "tram:fare a owl:DatatypeProperty ;", "tram:fare", "tram:fare has no rdf:type"),
    Mistake(ONTOLOGY, "( tram:from rdfs:label )", "( tram:from )", "of a link"),
    Mistake(RULES, '("str" "int" "date")', '("str" "int" "dat")', "no type dat", "date"),
    Mistake(RULES, '("str" "int" "date")', '("str" "int")', "3 names have 2 types"),
    Mistake(RULES, 'attr["line"]', 'attr["lyne"]', "no attribute lyne", "line"),
    Mistake(RULES, 'pg:answerType "date"', 'pg:answerType "dates"', "no answer type dates", "date"),
    Mistake(PROFILE, "<owner>", "<ownr>", "nobody in the profile", "<owner>"),
)
