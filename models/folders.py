"""The folder of a model that somebody else made, looked through before any library loads it.

A folder may name classes of its own Python files, packed Python objects (pickle) or other folders, which the libraries
then run or load, whatever `trust_remote_code` says. Only data is loaded here: configuration in JSON, weights in
safetensors, words of a tokenizer; the classes are those of sentence-transformers and transformers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, Final

from safetensors import SafetensorError

from ..errors import ConfigError

DOWNLOAD_HINT: Final = "download it first (hf download {}), or name a folder that holds the model"
_MODULES, _ROUTER = "modules.json", "router_config.json"
_BEGIN: Final = ("config.json", _MODULES)
_MOST_FILES: Final = 1_000
_MOST_CONFIG: Final = 1 << 20
"""Bytes of a configuration. Words of a tokenizer, which name nothing, may be longer."""
_WORDS: Final = frozenset(("tokenizer.json", "vocab.json", "added_tokens.json"))
_CODE: Final = frozenset((".py", ".pyc", ".so", ".pyd", ".dll", ".dylib"))
_PACKED: Final = frozenset((".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib", ".npy", ".npz", ".h5", ".ot"))
_CLASS: Final = re.compile(
    r"sentence_transformers\.(?:(?!models\.|modules\.)[a-z_]+\.)*+(?:models|modules)\.(?:[a-z0-9_]+\.)*+[A-Z]\w*"
)
"""Possessive, and up to the first package of modules: else its time grows with the square of the name's length."""
_ACTIVATION: Final = re.compile(r"torch\.nn\.(?:modules\.(?:activation|linear)\.)?[A-Z]\w*")
_ACTIVATIONS: Final = frozenset(("activation_function", "activation_fn", "sbert_ce_default_activation_function"))
_ELSEWHERE: Final = frozenset(
    (
        "auto_map",
        "custom_pipelines",
        "trust_remote_code",
        "code_revision",
        "quantization_config",
        "use_kernels",
        "kernel_config",
        "use_safetensors",
        "weights_only",
        "gguf_file",
        "subfolder",
        "tokenizer_name_or_path",
        "base_model_name_or_path",
        "pretrained_model_name_or_path",
    )
)
"""Settings by which a model has code run or files of other places loaded."""


def model_folder(name: str) -> Path:
    """The folder of a model, by its path or by its name of the hub, of which nothing is downloaded.

    Raises ConfigError where there is none, and for a folder that holds more than data.
    """
    if "\0" in name:
        raise ConfigError("the name of a model has a character that no path has")
    path = Path(name).expanduser()
    if path.is_dir():
        return checked_folder(path)
    if path.is_absolute() or name.startswith((".", "~")):
        raise ConfigError(f"the weights of {name} are not there: no such folder")
    found = _in_hub_cache(name)
    if found is None:
        raise ConfigError(f"the weights of {name} are not there; {DOWNLOAD_HINT.format(name)}")
    return checked_folder(found)


def _in_hub_cache(name: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    for repo in (name,) if "/" in name else (name, f"sentence-transformers/{name}"):
        for file in _BEGIN:
            try:
                place = try_to_load_from_cache(repo, file)
            except HFValidationError:
                return None
            if isinstance(place, str):
                return Path(place).parent
    return None


def checked_folder(folder: Path) -> Path:
    """The folder itself. Raises ConfigError where loading it could run code or load anything but plain data."""
    try:
        files = frozenset(_files(folder))
        if not any(folder / name in files for name in _BEGIN):
            raise ConfigError(f"the weights of a model are not there: {folder} has no config.json")
        for file in files:
            _check(file, files)
    except OSError as bad:
        raise ConfigError(f"the model's folder {folder} cannot be read: {bad.strerror}") from bad
    return folder


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for place, below, names in os.walk(folder):
        if any((Path(place) / name).is_symlink() for name in below):
            raise ConfigError(f"{place}: a folder of a model may not hold links to other folders")
        found += [Path(place) / name for name in names]
        if len(found) > _MOST_FILES:
            raise ConfigError(f"{folder} is no folder of a model: it holds more than {_MOST_FILES} files")
    return found


def _check(file: Path, files: frozenset[Path]) -> None:
    if not file.is_file():
        raise ConfigError(f"{file} is no plain file; a model's folder holds nothing else")
    end = file.suffix.lower()
    if end in _CODE:
        raise ConfigError(f"{file} is code; models are loaded as data only, so choose one without code of its own")
    if end in _PACKED and file.parent / "model.safetensors" not in files:
        raise ConfigError(f"{file} may hold code; weights are read from safetensors only (model.safetensors)")
    if file.name == "adapter_config.json":
        raise ConfigError(f"{file} names another model; merge the adapter into the weights first")
    if end == ".json" and file.name not in _WORDS:
        _check_settings(file)


def _check_settings(file: Path) -> None:
    if file.name.endswith(".index.json"):
        _check_index(file)
        return
    if file.stat().st_size > _MOST_CONFIG:
        raise ConfigError(f"{file} is longer than {_MOST_CONFIG} bytes")
    said = _json(file)
    for key, value in _entries(said):
        _check_entry(file, key, value)
    if file.name == _MODULES:
        for module in said if isinstance(said, list) else [said]:
            _check_class(file, module.get("type") if isinstance(module, dict) else module)
            _check_path(file, module.get("path", ""))
    types = said.get("types") if isinstance(said, dict) else None
    if isinstance(types, dict):
        for name, kind in types.items():
            _check_class(file, kind)
            _check_path(file, name)


def _check_index(file: Path) -> None:
    said = _json(file)
    shards = said.get("weight_map") if isinstance(said, dict) else None
    for shard in set(map(str, shards.values())) if isinstance(shards, dict) else ():
        if not shard.endswith(".safetensors") and file.name.startswith("model.safetensors"):
            raise ConfigError(f"{file}: weights are read from safetensors only, not from {shard[:80]!r}")
        _check_path(file, shard)


def _check_entry(file: Path, key: str, value: Any) -> None:
    off = value is None or (key == "trust_remote_code" and value is False)
    if key in _ELSEWHERE and not off:
        raise ConfigError(f"{file}: {key} has code or files of other places loaded; models are loaded as data only")
    if key in _ACTIVATIONS and "." in str(value) and not _ACTIVATION.fullmatch(str(value)):
        raise ConfigError(f"{file}: {key} is {str(value)[:80]!r}, which is no activation of torch.nn")
    if key.endswith("attn_implementation") and re.search("[/:@]", str(value)):
        raise ConfigError(f"{file}: {key} names code of another place: {str(value)[:80]!r}")


def _check_class(file: Path, name: Any) -> None:
    if not isinstance(name, str) or not _CLASS.fullmatch(name):
        told = f"{file}: {str(name)[:80]!r} is no module of sentence-transformers"
        raise ConfigError(f"{told}; models are loaded as data only, so choose one without code of its own")


def _check_path(file: Path, path: Any) -> None:
    inside = isinstance(path, str) and not PurePosixPath(path).is_absolute() and ".." not in re.split(r"[/\\]", path)
    if not inside:
        raise ConfigError(f"{file}: {str(path)[:80]!r} lies outside the model's folder")


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as bad:
        raise ConfigError(f"{file} is no JSON") from bad


def _entries(said: Any) -> Iterator[tuple[str, Any]]:
    """Every key with its value, at any depth; `json` bounds the depth."""
    waiting = [said]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield from one.items()
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


@contextmanager
def running(name: str) -> Iterator[None]:
    """A panic of the tokenizers' Rust as a ConfigError that names the model: patterns in a model's folder may take a
    text for which they give up."""
    try:
        yield
    except BaseException as bad:  # what a panic becomes is no Exception, and of a class that nobody exports
        if type(bad).__module__ != "pyo3_runtime":
            raise
        reason = str(bad).partition("\n")[0][:200]
        raise ConfigError(f"the tokenizer of {name} gives up on a text ({reason}); choose another model") from bad


@contextmanager
def loading(name: str, hint: str | None = None) -> Iterator[None]:
    """What a library says of a model that it cannot load, as a ConfigError that names the model."""
    try:
        with running(name):
            yield
    except ConfigError:
        raise
    except (OSError, ValueError, TypeError, LookupError, AttributeError, ImportError, RuntimeError) as bad:
        raise _unloadable(name, bad, hint) from bad
    except SafetensorError as bad:
        raise _unloadable(name, bad, hint) from bad


def _unloadable(name: str, bad: Exception, hint: str | None) -> ConfigError:
    reason = str(bad).splitlines()[0][:200] if str(bad) else type(bad).__name__
    return ConfigError(f"the weights of {name} cannot be loaded ({reason}); {hint or DOWNLOAD_HINT.format(name)}")
