"""Find wrong labels by per-sample gradients: those of mislabelled digits stay large while a network trains.

A tenth of the labels of scikit-learn's handwritten digits is made wrong. `vmap` of `grad` gives the gradient of every
sample's own loss in one go. Each is clipped to the same length before they are averaged, as in differentially private
training, so that no single sample pulls far; and the lengths, summed over the training, rank the samples. At the top
are the wrong labels.
"""

import argparse
import time

import matplotlib

matplotlib.use("Agg")  # draws to a file; no display is needed
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from tqdm import trange

import adjoint as ad
from adjoint import nn
from adjoint.func import functional_call, grad, vmap

WRONG = 0.1
CLIP = 0.5


def load_data(random):
    """Images, the labels that are given, and the true ones."""
    data = load_digits()
    truth, given = data.target, data.target.copy()
    chosen = random.choice(len(truth), round(WRONG * len(truth)), replace=False)
    given[chosen] = (given[chosen] + random.integers(1, 10, len(chosen))) % 10
    return ad.tensor(data.data / 8 - 1, dtype=ad.float32), ad.tensor(given), truth


def build():
    return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))


def make_gradients(model):
    """A function from parameters, images and labels to the gradients of each sample, stacked along a first axis."""

    def loss_of_one(parameters, image, label):
        return nn.functional.cross_entropy(functional_call(model, parameters, (image,)), label)

    return vmap(grad(loss_of_one), in_dims=(None, 0, 0))


def lengths_of(gradients):
    """The length of each sample's gradient, over all parameters together."""
    squares = [g.flatten(1).square().sum(1) for g in gradients.values()]
    return sum(squares).sqrt()


def train(model, images, labels, epochs, random, batch=128, rate=1.0):
    """Train the model; the sum of each sample's gradient lengths over all epochs."""
    gradients_of = make_gradients(model)
    parameters = {name: p.detach() for name, p in model.named_parameters()}  # the model's own memory
    scores = np.zeros(len(labels))
    progress = trange(epochs, desc="training", unit="epoch")
    for _ in progress:
        for rows in np.array_split(random.permutation(len(labels)), len(labels) // batch):
            some = ad.tensor(rows)
            gradients = gradients_of(parameters, images[some], labels[some])
            lengths = lengths_of(gradients)
            scores[rows] += lengths.numpy()
            shrink = (CLIP / lengths).clamp(max=1)
            for name, g in gradients.items():
                parameters[name] -= rate * ad.tensordot(shrink, g, dims=1) / len(rows)
    return scores


def time_one_by_one(model, images, labels, count=200):
    """Seconds for the gradients of some samples, by a loop over `backward` and by `vmap`, and whether both agree."""
    start = time.perf_counter()
    loop = []
    for image, label in zip(images[:count], labels[:count]):
        model.zero_grad()
        nn.functional.cross_entropy(model(image), label).backward()
        loop.append(model[0].weight.grad.clone())
    middle = time.perf_counter()
    parameters = {name: p.detach() for name, p in model.named_parameters()}
    mapped = make_gradients(model)(parameters, images[:count], labels[:count])
    end = time.perf_counter()
    return middle - start, end - middle, ad.allclose(ad.stack(loop), mapped["0.weight"], atol=1e-5)


def draw(path, images, given, truth, scores):
    order = np.argsort(-scores)
    wrong = given != truth
    figure = plt.figure(figsize=(13, 5.5), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1, 1.2])
    lengths, found = left.subplots(2)
    bins = np.linspace(0, scores.max(), 50)
    lengths.hist(scores[~wrong], bins, color="tab:green", alpha=0.7, label="right labels")
    lengths.hist(scores[wrong], bins, color="tab:red", alpha=0.7, label="wrong labels")
    lengths.set(title="Length of the gradients, summed", ylabel="samples")
    lengths.legend()
    looked = np.arange(1, len(order) + 1)
    found.plot(looked, wrong[order].cumsum(), color="tab:red", label="in the order of the gradients")
    found.plot(looked, wrong.mean() * looked, color="0.6", linestyle=":", label="in any order")
    found.set(title="Wrong labels found", xlabel="labels looked at", xlim=(0, 4 * wrong.sum()))
    found.legend()
    right.suptitle("The longest gradients: the label given")
    for axes, index in zip(right.subplots(4, 8).flat, order):
        axes.imshow(images[index].reshape(8, 8).numpy(), cmap="gray_r")
        axes.set_title(f"{given[index]}", fontsize=11, color="tab:red" if wrong[index] else "tab:green")
        axes.axis("off")
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="per_sample_gradients.png", help="where the picture goes (%(default)s)")
    parser.add_argument("--epochs", type=int, default=20, help="passes over the images (%(default)s)")
    options = parser.parse_args(arguments)

    ad.manual_seed(0)
    random = np.random.default_rng(0)
    images, labels, truth = load_data(random)
    model = build()
    time_one_by_one(model, images, labels, count=2)  # the first calls import things
    loop, mapped, agree = time_one_by_one(model, images, labels)
    print(f"200 gradients: {1e3 * loop:.0f} ms one by one, {1e3 * mapped:.0f} ms by vmap; they agree: {agree}")
    scores = train(model, images, labels, options.epochs, random)
    given = labels.numpy()
    suspects = np.argsort(-scores)[: (given != truth).sum()]
    found = (given != truth)[suspects].mean()
    draw(options.out, images, given, truth, scores)
    print(f"Of the {len(suspects)} samples with the longest gradients, {found:.1%} have a wrong label.")
    print(f"The picture is in {options.out}")
    return found, agree


if __name__ == "__main__":
    main()
