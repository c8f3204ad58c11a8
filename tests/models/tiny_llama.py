"""A causal language model of Llama's shape that is made here: random weights, a tokenizer of single bytes."""

from __future__ import annotations

from pathlib import Path

LETTERS = 256
MERGED = ("t", "h")


def tiny_llama(folder: Path) -> Path:
    """Writes the model as transformers does."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(5)
    folder.mkdir(parents=True, exist_ok=True)
    config = LlamaConfig(
        vocab_size=LETTERS + 1,
        hidden_size=48,
        intermediate_size=96,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=16,
        bos_token_id=1,
        initializer_range=0.2,
        tie_word_embeddings=True,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    known = {letter: at for at, letter in enumerate([*letters, "".join(MERGED)])}
    tokenizer = Tokenizer(models.BPE(known, [MERGED]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
