"""IRIs and language tags as text: validity and safe encoding (RFC 3987, RFC 3986, BCP 47; RML-Core, IRI encoding)."""

from __future__ import annotations

import re
from typing import Final

_UCS = (
    "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    "\U00010000-\U0001fffd\U00020000-\U0002fffd\U00030000-\U0003fffd\U00040000-\U0004fffd\U00050000-\U0005fffd"
    "\U00060000-\U0006fffd\U00070000-\U0007fffd\U00080000-\U0008fffd\U00090000-\U0009fffd\U000a0000-\U000afffd"
    "\U000b0000-\U000bfffd\U000c0000-\U000cfffd\U000d0000-\U000dfffd\U000e1000-\U000efffd"
)
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_UNRESERVED = r"A-Za-z0-9\-._~"
_NOT_IRI_SAFE: Final = re.compile(f"[^{_UNRESERVED}{_UCS}]")
_NOT_URI_SAFE: Final = re.compile(f"[^{_UNRESERVED}]")


def _absolute(letters: str, private: str) -> re.Pattern[str]:
    path = rf"(?:[{letters}!$&'()*+,;=:@/]|%[0-9A-Fa-f]{{2}})*"
    query = rf"(?:[{letters}{private}!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{{2}})*"
    fragment = rf"(?:[{letters}!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{{2}})*"
    name = rf"(?:[{letters}!$&'()*+,;=]|%[0-9A-Fa-f]{{2}})*"
    user = rf"(?:(?:[{letters}!$&'()*+,;=:]|%[0-9A-Fa-f]{{2}})*@)?"
    host = rf"(?:\[[0-9A-Fa-f:.]+\]|{name})"
    authority = rf"//{user}{host}(?::[0-9]*)?(?=[/?#]|\Z)"
    return re.compile(rf"[A-Za-z][A-Za-z0-9+.\-]*:(?:{authority}|(?!//)){path}(?:\?{query})?(?:\#{fragment})?")


_IRI: Final = _absolute(_UNRESERVED + _UCS, _PRIVATE)
_URI: Final = _absolute(_UNRESERVED, "")
_UNSAFE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x1f<>\"{}|\\^`]*")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")

_LANGUAGE_TAG: Final = re.compile(
    r"(?:(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4}|[A-Za-z]{5,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*(?:-[xX](?:-[A-Za-z0-9]{1,8})+)?"
    r"|[xX](?:-[A-Za-z0-9]{1,8})+|i-[A-Za-z]{2,8}|[a-z]{2}-[A-Z]{3}-[A-Z]{2})"
)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "replace"))


def iri_safe(text: str) -> str:
    """The IRI-safe version of a value: everything outside RFC 3987's iunreserved percent-encoded."""
    return _NOT_IRI_SAFE.sub(_percent, text) if _NOT_IRI_SAFE.search(text) else text


def uri_safe(text: str) -> str:
    """The URI-safe version of a value: everything outside RFC 3986's unreserved percent-encoded."""
    return _NOT_URI_SAFE.sub(_percent, text) if _NOT_URI_SAFE.search(text) else text


def is_iri(text: str) -> bool:
    """Whether `text` is an absolute IRI of RFC 3987."""
    return _IRI.fullmatch(text) is not None


def is_uri(text: str) -> bool:
    """Whether `text` is an absolute URI of RFC 3986."""
    return _URI.fullmatch(text) is not None


def is_unsafe_iri(text: str) -> bool:
    """Whether `text` can stand between angle brackets at all: a scheme, and nothing that ends an IRI in N-Quads."""
    return _UNSAFE.fullmatch(text) is not None


def starts_absolute(text: str) -> bool:
    """Whether `text` begins with a scheme."""
    return _SCHEME.match(text) is not None


def is_language_tag(text: str) -> bool:
    """Whether `text` is a well-formed language tag of BCP 47."""
    return _LANGUAGE_TAG.fullmatch(text) is not None
