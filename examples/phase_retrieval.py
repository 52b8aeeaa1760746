"""Phase retrieval: reconstruct a complex image from diffraction patterns, which a detector measures without phase.

This is ptychography, a microscope without lenses: a spot of light or of X-rays visits overlapping places of a specimen,
and for each place a detector far away counts photons. What arrives is the Fourier transform of spot times specimen, and
what is counted only its square. Specimen and spot are complex tensors, fitted together by gradient descent. This
specimen absorbs as a portrait and delays as a landscape does.
"""

import argparse

import matplotlib

matplotlib.use("Agg")  # draws to a file; no display is needed
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cbook import get_sample_data
from tqdm import trange

import adjoint as ad

SPOT = 32  # pixels on a side, as many as the detector has
PHOTONS = 1e6  # counted at each place


def make_specimen(size):
    """Amplitude from the portrait of Grace Hopper, phase from the elevation around Jacksboro."""
    portrait = plt.imread(get_sample_data("grace_hopper.jpg", asfileobj=False)).mean(-1)[20:532]
    landscape = get_sample_data("jacksboro_fault_dem.npz")["elevation"][60:316, 60:316].astype(float)
    amplitude, height = shrink(portrait, size), shrink(landscape, size)
    phase = 2.5 * (height - height.min()) / np.ptp(height) - 1.25
    return (0.2 + 0.8 * amplitude / amplitude.max()) * np.exp(1j * phase)


def shrink(image, size):
    blocks = image.reshape(size, len(image) // size, size, -1)
    return blocks.mean((1, 3))


def make_spot():
    """A round spot, a little out of focus."""
    y, x = np.mgrid[:SPOT, :SPOT] - (SPOT - 1) / 2
    radius = np.hypot(x, y)
    return np.exp(-((radius / 8) ** 4)) * np.exp(0.03j * radius**2)


def choose_places(size, random, step=6):
    """Corners of the places, on a grid that is a little shaken, since a regular one leaves traces."""
    corners = np.arange(0, size - SPOT + 1, step)
    places = np.stack(np.meshgrid(corners, corners, indexing="ij"), -1).reshape(-1, 2)
    return np.clip(places + random.integers(-2, 3, places.shape), 0, size - SPOT)


def diffract(specimen, spot, places):
    """The waves at the detector, one image for each place; places overlap, and their gradients add up."""
    window = np.arange(SPOT)
    rows, columns = places[:, 0, None, None] + window[:, None], places[:, 1, None, None] + window
    return ad.fft.fft2(spot * specimen[ad.tensor(rows), ad.tensor(columns)], norm="ortho")


def reconstruct(counts, places, guess, size, epochs, random, batch=32):
    """Specimen and spot that explain the counts, and the loss of each epoch; begins with an empty specimen."""
    specimen = ad.full((size, size), 0.5 + 0j, requires_grad=True)
    spot = ad.tensor(guess, requires_grad=True)
    optimizer = ad.optim.Adam([{"params": [specimen], "lr": 0.03}, {"params": [spot], "lr": 0.01}])
    schedule = ad.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    measured = ad.tensor(np.sqrt(counts))  # the root has the same noise everywhere
    losses = []
    progress = trange(epochs, desc="reconstructing", unit="epoch")
    for _ in progress:
        total = 0.0
        for some in np.array_split(random.permutation(len(places)), max(1, len(places) // batch)):
            optimizer.zero_grad()
            loss = (diffract(specimen, spot, places[some]).abs() - measured[ad.tensor(some)]).square().mean()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(some) / len(places)
        schedule.step()
        losses.append(total)
        progress.set_postfix(loss=f"{total:.2e}", refresh=False)
    return specimen.detach().numpy(), spot.detach().numpy(), np.array(losses)


def align(found, truth):
    """The reconstruction, with what no measurement can tell as in the truth: a factor, and a phase that grows along x
    and y, for which the spot's phase makes up."""
    ratio = found * truth.conj()
    slopes = [np.angle(np.vdot(ratio[:-1], ratio[1:])), np.angle(np.vdot(ratio[:, :-1], ratio[:, 1:]))]
    found = found * np.exp(-1j * np.tensordot(slopes, np.indices(found.shape), 1))
    return found * np.vdot(found, truth) / np.vdot(found, found).real


def draw(path, truth, found, counts, spots, losses, seen):
    figure, axes = plt.subplots(2, 4, figsize=(14, 7), layout="constrained")
    (pattern, amplitude, phase, spot), (loss, true_amplitude, true_phase, true_spot) = axes
    for ax, specimen, title in ((amplitude, found, "Reconstructed"), (true_amplitude, truth, "True")):
        ax.imshow(np.where(seen, np.abs(specimen), np.nan)[5:-5, 5:-5], cmap="gray", vmin=0.1, vmax=1)
        ax.set_title(f"{title} amplitude")
    for ax, specimen, title in ((phase, found, "Reconstructed"), (true_phase, truth, "True")):
        ax.imshow(np.where(seen, np.angle(specimen), np.nan)[5:-5, 5:-5], cmap="terrain", vmin=-1.5, vmax=1.25)
        ax.set_title(f"{title} phase")
    for ax, light, title in zip((spot, true_spot), spots, ("Reconstructed spot", "True spot")):
        ax.imshow(np.abs(light), cmap="inferno")
        ax.set_title(title)
    tiles = np.log1p(np.fft.fftshift(counts, axes=(1, 2)) * PHOTONS / counts[0].sum())
    chosen = tiles[np.linspace(0, len(tiles) - 1, 9).astype(int)].reshape(3, 3, SPOT, SPOT)
    pattern.imshow(chosen.transpose(0, 2, 1, 3).reshape(3 * SPOT, 3 * SPOT), cmap="inferno")
    pattern.set_title(f"9 of {len(counts)} patterns (log of counts)")
    for ax in (pattern, amplitude, phase, spot, true_amplitude, true_phase, true_spot):
        ax.axis("off")
    loss.semilogy(losses, color="tab:red")
    loss.set(title="Mean squared error of the roots", xlabel="epoch")
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default="phase_retrieval.png", help="where the picture goes (%(default)s)")
    parser.add_argument("--size", type=int, default=128, choices=(64, 128), help="pixels on a side (%(default)s)")
    parser.add_argument("--epochs", type=int, default=60, help="passes over the patterns (%(default)s)")
    options = parser.parse_args(arguments)

    random = np.random.default_rng(0)
    truth, spot, places = make_specimen(options.size), make_spot(), choose_places(options.size, random)
    waves = diffract(ad.tensor(truth), ad.tensor(spot), places).numpy()
    scale = PHOTONS / (np.abs(waves) ** 2).sum((1, 2)).mean()
    counts = random.poisson(scale * np.abs(waves) ** 2) / scale
    guess = np.abs(spot) + 0j  # its size is known, not how far it is out of focus
    found, found_spot, losses = reconstruct(counts, places, guess, options.size, options.epochs, random)

    light = np.zeros(truth.shape)
    for row, column in places:
        light[row : row + SPOT, column : column + SPOT] += np.abs(spot) ** 2
    seen = light > 0.3 * light.max()
    found = align(np.where(seen, found, 0), np.where(seen, truth, 0))
    error = np.linalg.norm((found - truth)[seen]) / np.linalg.norm(truth[seen])
    draw(options.out, truth, found, counts, (found_spot, spot), losses, seen)
    print(f"Where light fell, the specimen is reconstructed to {error:.1%}. The picture is in {options.out}")
    return losses, error


if __name__ == "__main__":
    main()
