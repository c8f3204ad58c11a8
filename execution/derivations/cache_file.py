"""What is found out once for each state of a store, kept as a JSON file beside the indexes of the generation."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...errors import StoreError
from ...store.upkeep.disk_space import disk_error_message

_STATE: Final = "state"


@dataclass(frozen=True)
class CacheFile:
    """One such file, `name`.json; nothing is kept where there is no folder. `state` names all that its content depends
    on: what was kept in another state does not hold any more."""

    folder: Path | None
    name: str
    state: str

    def read(self) -> Any:
        """What is kept; None where nothing is, or of another state, or half written or foreign: it is found anew."""
        if self.folder is None:
            return None
        try:
            found = json.loads(self._path(self.folder).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found.get(self.name) if isinstance(found, dict) and found.get(_STATE) == self.state else None

    def write(self, held: Any) -> None:
        """Keeps what JSON can hold; written beside and moved into place, so that nobody reads half a file. Raises
        StoreError where it cannot be written."""
        if self.folder is None:
            return
        path = self._path(self.folder)
        beside = path.with_suffix(f".{os.getpid()}.new")
        try:
            text = json.dumps({_STATE: self.state, self.name: held}, ensure_ascii=False)
            beside.write_text(text, encoding="utf-8")
            beside.replace(path)
        except OSError as bad:
            raise StoreError(disk_error_message(bad, self.folder) or f"{path} cannot be written: {bad}") from bad
        finally:
            beside.unlink(missing_ok=True)

    def _path(self, folder: Path) -> Path:
        return folder / f"{self.name}.json"
