"""A causal language model on this machine as decomposer, by name of the hub or folder (ReQAP, Table 9).

It is asked as a model behind an address is: the prompt, worked decompositions, the question. One that was fine-tuned
for it (training/decomposer_steps.py) needs no worked decompositions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ...config import DECOMPOSER_SIZES
from ..folders import loading, model_folder, running

TUNED: Final = "reqap-kg.json"
"""A file beside the weights that says that they were fine-tuned on steps: no worked decompositions are shown then."""
_LONGEST_PROMPT: Final = 6_000
"""Tokens of a conversation; of a longer one the end is read."""
Message = dict[str, str]


class CausalModel:
    """Answers conversations with a model that is loaded when it is first asked."""

    def __init__(self, name: str, samples: int = 1, temperature: float = 0.1, answer_tokens: int = 400) -> None:
        self.name = DECOMPOSER_SIZES.get(name, name)
        self._samples = samples
        self._temperature = temperature
        self._tokens = answer_tokens

    @property
    def tuned(self) -> bool:
        """Whether the weights were fine-tuned on steps."""
        return (Path(self.name) / TUNED).is_file()

    def complete(self, messages: Sequence[Message]) -> list[str]:
        """Answers to a conversation. Raises ConfigError where the weights are not there."""
        import torch

        tokenizer, model = self._model
        said = conversation(tokenizer, messages)
        with running(self.name):
            ids = tokenizer(said, return_tensors="pt", add_special_tokens=False)["input_ids"]
        ids = ids[:, -_LONGEST_PROMPT:]
        sampled = {"do_sample": True, "temperature": self._temperature} if self._samples > 1 else {"do_sample": False}
        torch.manual_seed(0)
        with torch.inference_mode():
            written = model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                max_new_tokens=self._tokens,
                num_return_sequences=self._samples,
                pad_token_id=tokenizer.pad_token_id or tokenizer.eos_token_id,
                **sampled,
            )
        return tokenizer.batch_decode(written[:, ids.shape[1] :], skip_special_tokens=True)

    @cached_property
    def _model(self) -> tuple[Any, Any]:
        folder = model_folder(self.name)
        from transformers import AutoModelForCausalLM, AutoTokenizer

        with loading(self.name):
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        return tokenizer, model.eval()


def conversation(tokenizer: Any, messages: Sequence[Message], *, answered: bool = False) -> str:
    """A conversation as the model reads it: by its chat template, else as plain lines; not `answered`, it ends where
    the model is to go on."""
    if getattr(tokenizer, "chat_template", None):
        return tokenizer.apply_chat_template(list(messages), tokenize=False, add_generation_prompt=not answered)
    lines = [f"{message['role'].capitalize()}: {message['content']}" for message in messages]
    return "\n".join(lines) + ("\n" if answered else "\nAssistant:")
