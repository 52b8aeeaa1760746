"""Write in the style of Python's manual: a small transformer that predicts the next character.

The text is what `help("...")` shows in Python, half a million characters. The network sees 64 of them and says, at each
place, how likely each character is to come next; from these chances a new text is drawn. The initial weights come from
a formula and the batches from NumPy: the file gives the same curve when its line `import adjoint as ad` says
`import torch as ad`.
"""

import argparse
import textwrap
from pydoc_data.topics import topics

import matplotlib

matplotlib.use("Agg")  # draws to a file; no display is needed
import matplotlib.pyplot as plt
import numpy as np
from tqdm import trange

import adjoint as ad

nn = ad.nn
CONTEXT, BATCH, WIDTH, HEADS, BLOCKS = 64, 16, 64, 4, 2
TEXT = "\n\n".join(topics[name] for name in sorted(topics))
TEXT = "".join(c for c in TEXT.replace("’", "'") if c.isascii())
ALPHABET = sorted(set(TEXT))
CODES = np.array([ALPHABET.index(c) for c in TEXT])
HELD_OUT = len(CODES) // 20  # the end of the text is for the test


class Block(nn.Module):
    """Attention to what came before, then a layer for each place; both are added to what goes through."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
        self.layers = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        future = ad.ones(x.shape[1], x.shape[1], dtype=ad.bool).triu(1)
        y = self.norm1(x)
        x = x + self.attention(y, y, y, attn_mask=future, need_weights=False)[0]
        return x + self.layers(self.norm2(x))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.character = nn.Embedding(len(ALPHABET), WIDTH)
        self.place = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(*(Block() for _ in range(BLOCKS)))
        self.norm = nn.LayerNorm(WIDTH)
        self.out = nn.Linear(WIDTH, len(ALPHABET))
        set_weights(self)

    def forward(self, codes):
        x = self.character(codes) + self.place(ad.arange(codes.shape[1]))
        return self.out(self.norm(self.blocks(x)))


def set_weights(model):
    """Matrices from the digits of sines, which look random and are the same everywhere; the rest stays 0 or 1."""
    with ad.no_grad():
        for seed, parameter in enumerate(model.parameters()):
            if parameter.ndim == 2:
                n = np.arange(parameter.numel()) + 1 + 0.1 * seed
                noise = 2 * (43758.5453 * np.sin(12.9898 * n) % 1) - 1
                parameter.copy_(ad.tensor(0.08 * noise.reshape(parameter.shape)))
            elif parameter.ndim == 1 and not (parameter == 1).all():
                parameter.zero_()


def cut_pieces(starts):
    """Pieces of the text, and the same pieces one character later."""
    pieces = CODES[np.asarray(starts)[:, None] + np.arange(CONTEXT + 1)]
    return ad.tensor(pieces[:, :-1]), ad.tensor(pieces[:, 1:])


def loss_of(model, starts):
    before, after = cut_pieces(starts)
    return nn.functional.cross_entropy(model(before).flatten(0, 1), after.flatten())


def train(steps, samples_at=(), length=300):
    """The model, the loss of each step, and texts written at some of the steps."""
    model = Transformer()
    optimizer = ad.optim.AdamW(model.parameters(), lr=0.004, betas=(0.9, 0.98))
    schedule = ad.optim.lr_scheduler.OneCycleLR(optimizer, 0.004, total_steps=steps + 1, pct_start=0.1)
    draw_starts = np.random.default_rng(0)
    losses, samples = [], {}
    progress = trange(steps, desc="reading", unit="step")
    for step in progress:
        loss = loss_of(model, draw_starts.integers(0, len(CODES) - HELD_OUT - CONTEXT, BATCH))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if step % 10 == 0:
            progress.set_postfix(loss=f"{losses[-1]:.3f}", refresh=False)
        if step + 1 in samples_at:
            samples[step + 1] = write(model, length)
    return model, np.array(losses), samples


def write(model, length, start="The ", seed=2):
    """A text drawn from the model, with chances sharpened a little."""
    codes, chance = [ALPHABET.index(c) for c in start], np.random.default_rng(seed)
    with ad.no_grad():
        for _ in range(length):
            logits = model(ad.tensor([codes[-CONTEXT:]]))[0, -1] / 0.7
            cumulative = logits.softmax(0).cumsum(0).numpy()
            codes.append(min(int(np.searchsorted(cumulative, chance.random())), len(ALPHABET) - 1))
    return "".join(ALPHABET[code] for code in codes)


def loss_of_guessing_by_last_character():
    """The best a model can do that knows only one character back: a yardstick."""
    pairs = np.zeros((len(ALPHABET), len(ALPHABET)))
    np.add.at(pairs, (CODES[:-1], CODES[1:]), 1)
    chances = pairs / pairs.sum(1, keepdims=True).clip(1)
    return -(pairs[pairs > 0] * np.log(chances[pairs > 0])).sum() / pairs.sum()


def draw(path, losses, samples, test):
    figure, (loss, text) = plt.subplots(1, 2, figsize=(13, 5), layout="constrained", width_ratios=[1, 1.3])
    smooth = np.convolve(losses, np.ones(20) / 20, "valid") if len(losses) > 40 else losses
    loss.plot(losses, color="0.8", linewidth=0.7)
    loss.plot(np.arange(len(smooth)) + len(losses) - len(smooth), smooth, color="tab:red", label="training")
    loss.axhline(loss_of_guessing_by_last_character(), color="0.3", linestyle=":", label="knowing one character back")
    loss.axhline(test, color="tab:blue", linestyle="--", label="at the end, on text it never saw")
    loss.set(title="Loss per character", xlabel="step", ylabel="nats")
    loss.legend()
    text.axis("off")
    lines = [f"after {step} steps:\n" + textwrap.fill(sample, 64) for step, sample in samples.items()]
    text.text(0, 1, "\n\n".join(lines), family="monospace", fontsize=10, va="top", parse_math=False)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="character_transformer.png", help="where the picture goes (%(default)s)")
    parser.add_argument("--steps", type=int, default=2500, help="batches of text read (%(default)s)")
    parser.add_argument("--length", type=int, default=300, help="characters written each time (%(default)s)")
    options = parser.parse_args(arguments)

    samples_at = [options.steps // 10, options.steps // 3, options.steps]
    model, losses, samples = train(options.steps, samples_at, options.length)
    with ad.no_grad():
        test = loss_of(model, range(len(CODES) - HELD_OUT, len(CODES) - CONTEXT - 1, 10 * CONTEXT)).item()
    draw(options.out, losses, samples, test)
    print(f"{list(samples.values())[-1]}\n")
    print(f"Each character of new text is given a chance of {np.exp(-test):.0%}. The picture is in {options.out}")
    return losses, test


if __name__ == "__main__":
    main()
