# Not typed here: reading all of the package's modules takes the type checker longer than all of ours.
from typing import Any

def __getattr__(name: str) -> Any: ...
