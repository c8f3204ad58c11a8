"""The RML vocabulary as this engine reads it: which property may stand on which kind of node.

Sources: RML-Core, RML-IO and RML-FNML of the W3C community group on knowledge graph construction (http://w3id.org/rml/).
Three flags under ev: extend it for record streams; see docs/mapping-functions.md.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from ....ontology.namespaces import EV, RML

EV_RECORDS: Final = EV + "Records"
"""As rml:source: the records that a reader of exports yields, one logical iteration each."""
EV_KEEP_OTHER_KEYS: Final = EV + "keepOtherKeys"
"""On a triples map: every key that no triples map with the same subject references is kept under key:."""
EV_EMPTY_IS_NULL: Final = EV + "emptyIsNull"
"""On a triples map: an empty string counts as a missing value."""

OLD_NAMESPACES: Final = (
    "http://www.w3.org/ns/r2rml#",
    "http://semweb.mmlab.be/ns/rml#",
    "http://semweb.mmlab.be/ns/ql#",
)
"""R2RML and the first RML: read by older engines, not by this one."""

_EXPRESSION = ("constant", "reference", "template", "functionExecution", "return", "returnMap")
_TERM = (*_EXPRESSION, "termType", "logicalTarget")
_OBJECT = (*_TERM, "language", "languageMap", "datatype", "datatypeMap")

PROPERTIES: Final = MappingProxyType(
    {
        "triples map": ("logicalSource", "subjectMap", "subject", "predicateObjectMap", "baseIRI"),
        "logical source": ("source", "referenceFormulation", "iterator"),
        "source": ("root", "path", "encoding", "null", "compression"),
        "subject map": (*_TERM, "class", "graph", "graphMap"),
        "predicate map": _TERM,
        "object map": (*_OBJECT, "parentTriplesMap", "joinCondition"),
        "graph map": _TERM,
        "datatype map": _TERM,
        "language map": _EXPRESSION,
        "predicate-object map": ("predicate", "predicateMap", "object", "objectMap", "graph", "graphMap"),
        "join condition": ("child", "childMap", "parent", "parentMap"),
        "child map": _TERM,
        "parent map": _TERM,
        "function execution": ("function", "functionMap", "input"),
        "input": ("parameter", "parameterMap", "inputValue", "inputValueMap"),
        "input value map": _TERM,
        "function map": _EXPRESSION,
        "parameter map": _EXPRESSION,
        "reference formulation": ("namespace",),
        "namespace": ("namespacePrefix", "namespaceURL"),
    }
)
"""Local names of the rml: properties that each kind of node may carry."""

EV_PROPERTIES: Final = MappingProxyType({"triples map": (EV_KEEP_OTHER_KEYS, EV_EMPTY_IS_NULL)})

_CLASS_NAMES = """
TriplesMap LogicalSource Source RelativePathSource TermMap ExpressionMap SubjectMap PredicateMap
ObjectMap GraphMap PredicateObjectMap RefObjectMap ReferencingObjectMap Join ChildMap ParentMap
LanguageMap DatatypeMap FunctionExecution FunctionMap Input ParameterMap ReturnMap TermType
ReferenceFormulation XPathReferenceFormulation Namespace FunctionValuedTermMap FunctionExpressionMap
"""
CLASSES: Final = tuple(_CLASS_NAMES.split())
"""Local names of the rml: classes; typing is optional and without effect, only misspelling is refused."""

TERM_TYPES: Final = ("IRI", "URI", "UnsafeIRI", "UnsafeURI", "BlankNode", "Literal")
FORMULATIONS: Final = ("JSONPath", "CSV", "XPath")
ROOTS: Final = ("MappingDirectory", "CurrentWorkingDirectory")
ENCODINGS: Final = MappingProxyType({"UTF-8": "utf-8", "UTF-16": "utf-16"})

ALLOWED_TYPES: Final = MappingProxyType(
    {
        "subject map": ("IRI", "URI", "UnsafeIRI", "UnsafeURI", "BlankNode"),
        "predicate map": ("IRI", "URI", "UnsafeIRI", "UnsafeURI"),
        "graph map": ("IRI", "URI", "UnsafeIRI", "UnsafeURI", "BlankNode"),
        "datatype map": ("IRI", "URI", "UnsafeIRI", "UnsafeURI"),
    }
)
"""RML-Core, Term Maps: the term types of each position; elsewhere any."""


def rml(name: str) -> str:
    """The IRI of a local name of the RML vocabulary."""
    return RML + name


def all_properties() -> frozenset[str]:
    """Every local property name of the vocabulary, for naming the nearest one."""
    return frozenset(name for names in PROPERTIES.values() for name in names)
