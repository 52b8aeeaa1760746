"""Signals and images: spectrograms, cosine, wavelet and non-uniform Fourier transforms, similarity."""

import numpy
import pytorch_msssim
import pytorch_wavelets
import torch
import torch_dct
import torchkbnufft
from nnAudio import features

t = torch.linspace(0, 1, 800)
x = (torch.sin(2 * torch.pi * 40 * t) + 0.5 * torch.cos(2 * torch.pi * 90 * t)).requires_grad_()
results = []
for layer in (
    features.STFT(n_fft=64, hop_length=32, sr=800, output_format="Magnitude", verbose=False),
    features.MelSpectrogram(sr=800, n_fft=64, n_mels=8, hop_length=64, verbose=False),
):
    y = layer(x)
    results += [y.detach()[:, :, :4], *torch.autograd.grad(y.pow(2).sum(), x)]
z = x[:24].reshape(4, 6)
for transform in (torch_dct.dct, torch_dct.idct, torch_dct.dct_2d, torch_dct.idct_2d):
    y = transform(z, norm="ortho")
    results += [y.detach(), torch.autograd.grad(y.pow(3).sum(), x, retain_graph=True)[0][:24]]
image = ((torch.arange(256.0) ** 1.3).sin().reshape(1, 1, 16, 16) + 1).div(2).requires_grad_()
low, high = pytorch_wavelets.DWTForward(J=2, wave="db2", mode="symmetric")(image)
back = pytorch_wavelets.DWTInverse(wave="db2", mode="symmetric")((low, high))
results += [
    low.detach(),
    high[0].detach(),
    back.detach(),
    *torch.autograd.grad(low.pow(2).sum() + back.pow(3).sum(), image),
]
other = image.detach().flip(-1) * 0.8
similarity = pytorch_msssim.ssim(image, other, data_range=1.0, win_size=7)
results += [similarity.detach(), *torch.autograd.grad(similarity, image)]
signal = torch.complex(image.detach(), other).to(torch.complex64)
ktraj = torch.as_tensor(numpy.linspace(-3, 3, 20, dtype="float32").reshape(2, 10))
forward = torchkbnufft.KbNufft(im_size=(16, 16), grid_size=(32, 32))
adjoint = torchkbnufft.KbNufftAdjoint(im_size=(16, 16), grid_size=(32, 32))
k = forward(signal, ktraj)
results += [torch.view_as_real(k), torch.view_as_real(adjoint(k, ktraj))]
print([round(v, 3) + 0.0 for r in results for v in r.flatten().tolist()[:100]])
