"""What a reader is worth on texts of lives that it was not trained on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .batches import Batch
from .reading_losses import Phrases
from .reading_network import STANDINGS, ReadingNetwork


def measure(network: ReadingNetwork, measured: Sequence[Batch], phrases: Phrases) -> dict[str, Any]:
    """F1 of tokens of values (all, and by key) and of triggers; accuracy of standings, the share of unreal mentions
    that are taken for real, and of real ones that are not; the share of tokens of texts of several mentions that go to
    a mention that has them; and mean average precision of queries over real mentions."""
    network.eval()
    counts, standings, joined = Counter[tuple[str, str]](), Counter[str](), Counter[str]()
    ranked: dict[tuple[str, str], list[tuple[float, bool]]] = {}
    for batch in measured:
        with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
            states, means = network.states(batch.inputs)
            tags = network.tags(states, phrases.stacked(batch.keys)).float()[..., 0]
            triggers = network.triggers(states).float()[..., 0]
            mentions = network.mentions(states, means, batch.texts, batch.weights.to(states.dtype))
            standing, belongs = network.standing(mentions).float(), network.belongs(states, mentions, batch.texts)
            places = network.places(mentions).float()
        for column, key in enumerate(batch.keys):
            known = batch.known[..., column] == 1
            _count(counts, key, tags[..., column], batch.tags[..., column, 0], known)
        _count(counts, "triggers", triggers, batch.triggers[..., 0], batch.real == 1)
        _stand(standings, standing, batch)
        _join(joined, belongs.float(), batch)
        with torch.inference_mode():
            _rank(ranked, network, places, standing, batch, phrases)
    keys = sorted({key for key, _ in counts} - {"triggers"})
    said = {key: _f1(counts, [key]) for key in keys if counts[key, "true"] >= 30}
    return {
        "values_f1": _f1(counts, keys),
        "triggers_f1": _f1(counts, ["triggers"]),
        "standing": round(standings["right"] / max(1, standings["all"]), 4),
        "unreal_as_real": round(standings["unreal as real"] / max(1, standings["unreal"]), 4),
        "real_as_unreal": round(standings["real as unreal"] / max(1, standings["real"]), 4),
        "belongs": round(joined["right"] / max(1, joined["all"]), 4),
        "queries_map": round(sum(map(_precision, ranked.values())) / max(1, len(ranked)), 4),
        "by_key": said,
    }


def _count(counts: Counter[tuple[str, str]], name: str, logits: Tensor, truth: Tensor, known: Tensor) -> None:
    said, true = (logits > 0) & known, (truth > 0) & known
    counts[name, "both"] += int((said & true).sum())
    counts[name, "said"] += int(said.sum())
    counts[name, "true"] += int(true.sum())


def _f1(counts: Counter[tuple[str, str]], names: Sequence[str]) -> float:
    both, said, true = (sum(counts[name, what] for name in names) for what in ("both", "said", "true"))
    return round(2 * both / max(1, said + true), 4)


def _stand(counts: Counter[str], logits: Tensor, batch: Batch) -> None:
    for mention, best in zip(batch.mentions, logits.argmax(dim=1).tolist(), strict=True):
        real, held = mention.real, best == 0
        counts["all"] += 1
        counts["right"] += STANDINGS[best] == mention.standing
        counts["real" if real else "unreal"] += 1
        counts["unreal as real"] += held and not real
        counts["real as unreal"] += real and not held


def _join(counts: Counter[str], logits: Tensor, batch: Batch) -> None:
    several = [text for text, count in Counter(batch.texts.tolist()).items() if count > 1]
    valued = batch.valued > 0
    for text in several:
        own = (batch.texts == text).nonzero().flatten()
        best = logits[own].argmax(dim=0)
        right = batch.parts[own].gather(0, best[None])[0] > 0
        counts["right"] += int((right & valued[text]).sum())
        counts["all"] += int(valued[text].sum())


def _rank(
    ranked: dict[tuple[str, str], list[tuple[float, bool]]],
    network: ReadingNetwork,
    places: Tensor,
    standing: Tensor,
    batch: Batch,
    phrases: Phrases,
) -> None:
    asked = phrases.queries.get(batch.life, ())
    if not asked or not batch.mentions:
        return
    vectors = network.phrases(phrases.stacked([one.query for one in asked]))
    meant = torch.sigmoid(vectors @ places.T * network.near[0] + network.near[1]) * standing.softmax(dim=1)[:, 0]
    for one, row in zip(asked, meant.tolist(), strict=True):
        own = ranked.setdefault((one.life, one.query), [])
        own += [(score, mention.name in one.yes) for score, mention in zip(row, batch.mentions, strict=True)]


def _precision(scored: Sequence[tuple[float, bool]]) -> float:
    """Average precision of a ranking."""
    ranked = sorted(scored, key=lambda one: -one[0])
    hits = [place for place, (_, right) in enumerate(ranked, start=1) if right]
    return sum(number / place for number, place in enumerate(hits, start=1)) / len(hits) if hits else 0.0
