"""Tell handwritten digits apart: a plain network and a convolutional one, on the 1,797 images of scikit-learn.

The images are 8 x 8 pixels. A fifth of them is kept for the test, and both networks get more than 97 % of those right.
The initial weights come from a formula and the batches from NumPy, so that this file gives the same curves when its
line `import adjoint as ad` says `import torch as ad`.
"""

import argparse

import matplotlib

matplotlib.use("Agg")  # draws to a file; no display is needed
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from tqdm import tqdm

import adjoint as ad

nn = ad.nn
TRAIN = 1437  # four fifths
BATCH = 64


def load_data():
    """Images between -1 and 1 and their digits, in an order that is always the same."""
    data = load_digits()
    order = np.random.default_rng(0).permutation(len(data.target))
    images = ad.tensor(data.images[order] / 8 - 1, dtype=ad.get_default_dtype())
    return images[:, None], ad.tensor(data.target[order])


def build_plain():
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 10))


def build_convolutional():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 4 * 4, 64),
        nn.ReLU(),
        nn.Linear(64, 10),
    )


NETWORKS = {"plain": build_plain, "convolutional": build_convolutional}


def set_weights(model):
    """Weights in ±1/√(number of inputs) from the digits of sines, which look random and are the same everywhere."""
    with ad.no_grad():
        for seed, parameter in enumerate(model.parameters()):
            n = np.arange(parameter.numel()) + 1 + 0.1 * seed
            noise = 2 * (43758.5453 * np.sin(12.9898 * n) % 1) - 1
            bound = parameter[0].numel() ** -0.5 if parameter.ndim > 1 else 0.0
            parameter.copy_(ad.tensor(bound * noise.reshape(parameter.shape)))


def train(model, images, digits, epochs, name=""):
    """The loss of every step and the accuracy on the test images after every epoch."""
    set_weights(model)
    steps = epochs * (TRAIN // BATCH)
    optimizer = ad.optim.AdamW(model.parameters(), lr=0.004)
    schedule = ad.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    shuffle = np.random.default_rng(1)
    losses, accuracies = [], []
    with tqdm(total=steps, desc=f"training the {name} network", unit="step") as progress:
        for _ in range(epochs):
            for rows in shuffle.permutation(TRAIN)[: TRAIN // BATCH * BATCH].reshape(-1, BATCH):
                batch = ad.tensor(rows)
                loss = nn.functional.cross_entropy(model(images[batch]), digits[batch])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
                losses.append(loss.item())
                progress.update()
            accuracies.append((predict(model, images[TRAIN:]) == digits[TRAIN:].numpy()).mean())
            progress.set_postfix(accuracy=f"{accuracies[-1]:.1%}", loss=f"{losses[-1]:.4f}")
    return np.array(losses), np.array(accuracies)


def predict(model, images):
    with ad.no_grad():
        return model(images).argmax(1).numpy()


def draw(path, curves, model, images, digits):
    figure = plt.figure(figsize=(11, 6), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1, 1.15])
    loss, accuracy = left.subplots(2, sharex=True)
    for name, (losses, accuracies) in curves.items():
        epochs = np.arange(len(losses)) * len(accuracies) / len(losses)
        loss.semilogy(epochs, losses, linewidth=0.8, label=name)
        accuracy.plot(np.arange(1, len(accuracies) + 1), 100 * accuracies, label=f"{name}: {accuracies[-1]:.1%}")
    loss.set(title="Loss of each batch")
    loss.legend()
    accuracy.axhline(97, color="0.3", linestyle=":")
    accuracy.set(title="Right on the test images, %", xlabel="epoch", ylim=(90, 100.2))
    accuracy.legend(loc="lower right")

    with ad.no_grad():
        probability = nn.functional.softmax(model(images[TRAIN:]), 1).numpy()
    truth = digits[TRAIN:].numpy()
    hardest = np.argsort(probability[np.arange(len(truth)), truth])[:20]
    right.suptitle("The test images that the convolutional network finds hardest")
    for axes, index in zip(right.subplots(4, 5).flat, hardest):
        guess = probability[index].argmax()
        axes.imshow(images[TRAIN + index, 0].numpy(), cmap="gray_r")
        color = "tab:green" if guess == truth[index] else "tab:red"
        axes.set_title(f"{truth[index]}, read as {guess}", fontsize=9, color=color)
        axes.axis("off")
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="digits.png", help="where the picture goes (%(default)s)")
    parser.add_argument("--epochs", type=int, default=20, help="passes over the training images (%(default)s)")
    options = parser.parse_args(arguments)

    images, digits = load_data()
    curves = {}
    for name, build in NETWORKS.items():
        model = build()
        curves[name] = train(model, images, digits, options.epochs, name)
        print(f"The {name} network reads {curves[name][1][-1]:.1%} of the test images right.")
    draw(options.out, curves, model, images, digits)
    print(f"The picture is in {options.out}")
    return curves


if __name__ == "__main__":
    main()
