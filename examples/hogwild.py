"""Train one network from several threads at once, without locks (Hogwild), on scikit-learn's handwritten digits.

Every thread has a network of its own whose weights lie in the same memory. It takes a batch, computes gradients of its
own, and writes to the shared weights, while others read and write them. Steps taken from weights that are a little out
of date still lead downhill. Python runs one thread at a time, except inside NumPy's large operations (and in
free-threaded builds): the picture shows what that gives on this machine.
"""

import argparse
import os
import threading
import time

import matplotlib

matplotlib.use("Agg")  # draws to a file; no display is needed
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from tqdm import tqdm

import adjoint as ad
from adjoint import nn

TRAIN = 1437  # four fifths
BATCH = 64
THREADS = (1, 2, 4, 8)


def load_data():
    data = load_digits()
    order = np.random.default_rng(0).permutation(len(data.target))
    return ad.tensor(data.data[order] / 8 - 1, dtype=ad.float32), ad.tensor(data.target[order])


def build():
    return nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10))


def share_weights(model):
    """Another network on the same memory. `data` has no history: each network counts its own writes only."""
    other = build()
    for mine, theirs in zip(other.parameters(), model.parameters()):
        mine.data = theirs.data
    return other


class Training:
    """One network and the threads that train it."""

    def __init__(self, images, digits, steps, threads):
        ad.manual_seed(0)
        self.model, self.images, self.digits = build(), images, digits
        self.steps, self.threads = steps, threads
        self.curve = []  # time, loss, and steps that other threads took meanwhile, of each step

    def run(self, progress):
        workers = [threading.Thread(target=self.work, args=(k, progress)) for k in range(self.threads)]
        self.start = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return np.array(self.curve)

    def work(self, seed, progress):
        model, random = share_weights(self.model), np.random.default_rng(seed)
        optimizer = ad.optim.SGD(model.parameters(), lr=0.05)
        for _ in range(self.steps // self.threads):
            before = len(self.curve)
            batch = ad.tensor(random.integers(0, TRAIN, BATCH))
            loss = nn.functional.cross_entropy(model(self.images[batch]), self.digits[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()  # writes to the memory that all share
            self.curve.append((time.perf_counter() - self.start, loss.item(), len(self.curve) - before))
            progress.update()

    def accuracy(self):
        with ad.no_grad():
            right = self.model(self.images[TRAIN:]).argmax(1) == self.digits[TRAIN:]
        return right.double().mean().item()


def name(threads):
    return f"{threads} thread{'s' * (threads > 1)}"


def draw(path, results):
    figure, (by_step, by_time, late) = plt.subplots(1, 3, figsize=(14, 4.5), layout="constrained")
    for threads, (curve, accuracy) in results.items():
        times, losses, meanwhile = curve.T
        width = max(1, len(losses) // 40)
        smooth = np.convolve(losses, np.ones(width) / width, "valid")
        by_step.semilogy(smooth, label=f"{name(threads)}: {accuracy:.1%} right")
        by_time.semilogy(times[: len(smooth)], smooth, label=f"{times[-1]:.1f} s")
        late.semilogy(np.sort(meanwhile)[::-1], 100 * np.arange(1, len(losses) + 1) / len(losses))
    by_step.set(title="All learn alike, step by step", xlabel="steps of all threads", ylabel="loss, smoothed")
    by_step.legend()
    by_time.set(title=f"The same by the clock ({os.cpu_count()} cores)", xlabel="seconds")
    by_time.legend()
    late.set(title="% of gradients so late or later", xlabel="steps that others took meanwhile")
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="hogwild.png", help="where the picture goes (%(default)s)")
    parser.add_argument("--steps", type=int, default=3000, help="steps of all threads together (%(default)s)")
    options = parser.parse_args(arguments)

    images, digits = load_data()
    results = {}
    for threads in THREADS:
        training = Training(images, digits, options.steps, threads)
        with tqdm(total=options.steps, desc=name(threads), unit="step") as progress:
            curve = training.run(progress)
        results[threads] = curve, training.accuracy()
    for threads, (curve, accuracy) in results.items():
        rate = len(curve) / curve[-1, 0]
        print(f"{name(threads)}: {accuracy:.1%} of the test images right, {rate:.0f} steps a second")
    draw(options.out, results)
    print(f"The picture is in {options.out}")
    return results


if __name__ == "__main__":
    main()
