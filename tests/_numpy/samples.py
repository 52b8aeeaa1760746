"""Calls of NumPy functions: expressions of the variables below, which are arrays or tensors.

`test_functions.py` evaluates each of them both ways. Calls are separated by semicolons or lines. Variables in capitals
stay arrays when derivatives are checked.
"""

import re

import numpy as np

_rng = np.random.default_rng(7)


def _draw(*shape):
    """Numbers away from each other and from zero, so that no sorting, rounding or absolute value is near a kink."""
    size = int(np.prod(shape))
    numbers = np.linspace(0.31, 2.9, size) * np.where(np.arange(size) % 2, 1, -1)
    return _rng.permutation(numbers).reshape(shape)


def _with_nan(x):
    x = x.copy()
    x[0, 1] = x[2, 3] = np.nan
    return x


VARIABLES = {
    "a": _draw(3, 4), "b": _draw(3, 4), "t": _draw(2, 3, 4), "m": _draw(3, 3), "r": _draw(2, 4), "s": _draw(),
    "v": _draw(4), "w": _draw(3), "u": _draw(7), "q": np.array([0.13, 0.45, 0.82]), "p": abs(_draw(3, 4)),
    "x": np.cumsum(abs(_draw(5))), "y": _draw(5), "n": _with_nan(_draw(3, 4)),
    "c": _draw(3, 4) + 1j * _draw(3, 4), "d": _draw(3) + 1j * _draw(3),
    "N": _with_nan(_draw(3, 4)), "I": np.array([[3, 1, 2, 1], [0, 2, 2, 5], [7, 1, 0, 4]]),
    "J": np.array([2, 0, 1, 2]), "K": np.array([[True, False, True, True], [False, False, True, False], [True] * 4]),
    "B": np.array([True, False, True, True]), "U": np.array([250, 3, 7, 0], np.uint8), "F": _draw(3, 4),
    "G": abs(_draw(4)), "H": np.array([1.5, np.inf, -np.inf, np.nan]), "T": np.array([1, 2, 2, 0, 0]),
}  # fmt: skip

MANIPULATION = """
np.reshape(a, (2, 6)); np.reshape(a, -1); np.reshape(a, (6, 2), order="F"); np.reshape(a, (4, 3), order="A")
np.reshape(np.transpose(a), (2, 6), "F"); np.reshape(a, shape=(2, -1)); np.reshape(a, [2, np.int64(6)])
np.ravel(a); np.ravel(a, order="F"); np.ravel(t, "F"); np.ravel(s); np.ravel(np.transpose(a), "K"); np.ravel(a.T, "A")
np.resize(a, (2, 3)); np.resize(a, (5, 5)); np.resize(a, 3)
np.expand_dims(a, 0); np.expand_dims(a, (0, 3)); np.expand_dims(a, axis=-1); np.expand_dims(s, 0)
np.squeeze(np.expand_dims(a, 1)); np.squeeze(np.expand_dims(a, (0, 2)), axis=0); np.squeeze(s)
np.broadcast_to(v, (3, 4)); np.broadcast_to(s, (2,)); np.broadcast_to(v, 4); np.broadcast_arrays(a, v, s)
np.atleast_1d(s); np.atleast_1d(s, a); np.atleast_2d(v); np.atleast_2d(s, v, t); np.atleast_3d(v)
np.atleast_3d(a, t, s)
np.copy(a); np.copy(a, order="F"); np.astype(a, np.float32); np.astype(a, float); np.astype(I, np.float64, copy=False)
np.transpose(a); np.transpose(t, (2, 0, 1)); np.transpose(t, axes=[-1, 0, 1]); np.transpose(v)
np.permute_dims(t, (1, 0, 2))
np.matrix_transpose(t); np.swapaxes(t, 0, -1); np.moveaxis(t, 0, -1); np.moveaxis(t, (0, 1), (-1, 0))
np.rollaxis(t, 2); np.rollaxis(t, 0, 3); np.rollaxis(t, 1, -1); np.rollaxis(t, -1, 1)
np.flip(a); np.flip(a, 0); np.flip(t, (0, 2)); np.flipud(a); np.fliplr(a); np.flipud(v)
np.rot90(a); np.rot90(a, 2); np.rot90(t, -1, (1, 2)); np.rot90(a, k=5, axes=(1, 0))
np.roll(a, 2); np.roll(a, -1, axis=0); np.roll(t, (1, 2), axis=(0, 1)); np.roll(a, 1, (0, 1)); np.roll(a, (1, 1), 0)
np.tile(v, 2); np.tile(a, (2, 1, 2)); np.tile(t, 2); np.tile(s, 3); np.tile(a, (2,)); np.tile(a, np.array([1, 2]))
np.repeat(a, 2); np.repeat(a, 2, axis=1); np.repeat(v, J); np.repeat(a, [1, 0, 2], 0); np.repeat(s, 3)
np.repeat(a, [2], -1)
np.diag(v); np.diag(v, 1); np.diag(a); np.diag(a, k=-1); np.diagflat(a); np.diagflat(v, -2)
np.diagonal(a); np.diagonal(t, 1, 1, 2); np.diagonal(t, axis1=2, axis2=0); np.diagonal(a, offset=-1)
np.trace(a); np.trace(a, 1); np.trace(t, axis1=1, axis2=2); np.trace(t, -1, 0, 2); np.trace(I)
np.trace(a, dtype=np.float32)
np.tril(a); np.tril(t, 1); np.triu(a, k=-1); np.triu(v); np.tril(v)
np.lib.stride_tricks.sliding_window_view(a, 2, axis=1); np.lib.stride_tricks.sliding_window_view(a, (2, 3))
np.lib.stride_tricks.sliding_window_view(v, 3); np.lib.stride_tricks.sliding_window_view(t, (2, 2), (1, 1))
np.meshgrid(v, w); np.meshgrid(v, w, indexing="ij"); np.meshgrid(v, w, y, sparse=True); np.meshgrid(v)
np.meshgrid(s, w)
"""

JOINING = """
np.concatenate([a, b]); np.concatenate((a, r), axis=0); np.concatenate([a, b, a], -1); np.concatenate([a, v], None)
np.concatenate([a, I]); np.concatenate(t); np.concatenate([a, b], dtype=np.float32); np.concat([v, u])
np.concatenate([a, np.ones((1, 4))]); np.concatenate([[1, 2], v]); np.concatenate([v, [s, 2.0]])
np.stack([a, b]); np.stack([a, b, F], axis=-1); np.stack((v, G), 1); np.stack([s, s]); np.stack([a, b], axis=1)
np.vstack([a, v]); np.vstack((v, v)); np.hstack([v, u]); np.hstack([a, b]); np.hstack([s, v]); np.dstack([a, b])
np.dstack((v, v))
np.column_stack([w, a]); np.column_stack((v, v)); np.vstack([s, s])
np.block([[m, m], [m, m]]); np.block([v, u]); np.block([[a, np.ones((3, 1))], [r, np.zeros((2, 1))]]); np.block(a)
np.block([s, v])
np.append(a, b); np.append(a, r, axis=0); np.append(v, 1.5); np.append(v, [s, 2.0]); np.append([1.0], v)
np.insert(v, 1, 5.0); np.insert(v, [1, 3], s); np.insert(a, 1, v, axis=0); np.insert(a, 1, w, axis=1)
np.insert(a, [0, 4], 2.0, axis=1)
np.insert(a, -1, 9.0); np.insert(v, slice(0, 3, 2), y[:2]); np.insert(v, [3, 1], [s, 7.0]); np.insert(v, 2, y)
np.insert(a, [1], w[:, None], 1)
np.insert(v, J, 1.0); np.insert(v, B, s)
np.delete(v, 1); np.delete(a, 0, axis=1); np.delete(a, [0, 2], 0); np.delete(a, slice(1, 3), axis=1); np.delete(a, -1)
np.delete(v, B)
np.delete(v, []); np.delete(v, [1, 1, -1])
np.split(a, 2, axis=1); np.split(u, [2, 5]); np.array_split(u, 3); np.array_split(a, [1, 10])
np.array_split(u, np.array([3]))
np.hsplit(a, 2); np.vsplit(a, [1]); np.dsplit(t, 2); np.hsplit(v, 2); np.unstack(t); np.unstack(t, axis=-1)
np.pad(v, 2); np.pad(a, 1, constant_values=3.0); np.pad(a, ((1, 2), (0, 1)), constant_values=((1, 2), (3, 4)))
np.pad(v, (1, 2), constant_values=s)
np.pad(v, (1, 2), "edge"); np.pad(a, ((2, 1), (3, 4)), mode="reflect"); np.pad(a, 2, "symmetric")
np.pad(a, 3, "wrap"); np.pad(v, 9, "reflect")
np.pad(v, 2, "reflect", reflect_type="odd"); np.pad(a, 2, "symmetric", reflect_type="odd")
np.pad(a, 6, "reflect", reflect_type="odd")
np.pad(a, 2, "mean"); np.pad(a, ((1, 1), (2, 2)), "maximum"); np.pad(a, 1, "minimum", stat_length=2)
np.pad(a, 1, "median"); np.pad(a, 2, "mean", stat_length=((1, 2), (3, 1)))
np.pad(a, 2, "linear_ramp"); np.pad(a, ((1, 2), (3, 0)), "linear_ramp", end_values=5.0)
np.pad(v, (2, 3), "linear_ramp", end_values=(s, 4.0))
np.pad(I, 2, "mean"); np.pad(I, 3, "linear_ramp", end_values=9); np.pad(I, 1, "edge"); np.pad(a, (1, 2))
np.pad(a, ((1, 2),))
np.trim_zeros(T); np.trim_zeros(np.pad(v, 2)); np.trim_zeros(np.pad(v, (0, 2)), "b")
np.trim_zeros(np.pad(v, 2), trim="f")
"""

INDEXING = """
np.take(v, J); np.take(a, [0, 5, 2]); np.take(a, J, axis=0); np.take(a, [[0, 1], [3, 2]], axis=1); np.take(a, 2)
np.take(a, -1, axis=1)
np.take(v, [5, -9], mode="wrap"); np.take(v, [5, -9], mode="clip"); np.take(t, np.array([[1, 0]]), axis=1)
np.take_along_axis(a, np.argsort(a, 1), 1); np.take_along_axis(a, I % 3, axis=0); np.take_along_axis(v, J, None)
np.take_along_axis(a, np.array([[0], [-1], [2]]), axis=1)
np.compress(B, a, axis=1); np.compress([True, False], v); np.compress([0, 1, 1], a, 0); np.extract(K, a)
np.extract(a > 0, a)
np.take(v, U % 4); np.take_along_axis(v, U % 4, 0); np.bincount(U % 4); np.choose(U % 2, [v, G])
np.choose(J % 2, [v, G]); np.choose([0, 1, 2, 1], [v, 10.0, s]); np.choose(J + 1, [v, G], mode="wrap")
np.choose(K, (a, b)); np.choose(J, [v, G], mode="clip")
np.where(K, a, b); np.where(a > 0, a, 0.0); np.where(B, v, s); np.where(K, 1.5, a); np.where(K); np.where(a > 0)
np.where(I, a, 2); np.where(a > 0, I, a)
np.select([a > 1, a > 0], [a * 2, b], 3.0); np.select([B], [v]); np.select([K, a > 0], [s, a], default=b)
np.select([[True, False, False, True]], [v], -1)
np.piecewise(a, [a < 0, a >= 0], [lambda z: -z, lambda z: z**2]); np.piecewise(v, [v > 0], [np.sqrt])
np.piecewise(v, v < 0, [1.0, lambda z, k: z * k], 3.0)
np.piecewise(F, [a < 0], [lambda z: z * 2, 7.0])
np.piecewise(a, [F < 0], [lambda z: z * 2, 7.0]); np.piecewise(s, [s > 0, s <= 0], [np.sqrt, np.exp])
np.nonzero(I); np.nonzero(a > 0); np.argwhere(I); np.flatnonzero(I); np.argwhere(K); np.argwhere(s)
np.apply_along_axis(np.sum, 1, a); np.apply_along_axis(lambda z: z * 2, 0, a); np.apply_along_axis(np.diag, -1, r)
np.apply_along_axis(lambda z, k: z[:2] ** k, 1, t, 2)
np.apply_over_axes(np.sum, t, [0, 2]); np.apply_over_axes(np.max, t, 1)
np.tril_indices_from(m); np.triu_indices_from(a, 1); np.diag_indices_from(m); np.ix_(J, [0, 1]); np.ix_(B, J)
np.unravel_index(I, (2, 4)); np.unravel_index(5, (2, 3)); np.unravel_index(J, (2, 3), order="F")
np.ravel_multi_index((J, J), (3, 4)); np.ravel_multi_index((J, J), (2, 4), mode="wrap", order="F")
"""

REDUCTIONS = """
np.sum(a); np.sum(a, 0); np.sum(a, axis=(0, 1)); np.sum(t, (0, 2), keepdims=True); np.sum(a, initial=3.0)
np.sum(a, where=K); np.sum(a, 1, np.float32)
np.sum(I); np.sum(K, 0); np.sum(U); np.sum(a, axis=()); np.sum(s); np.sum(a, axis=-1, where=B, initial=s)
np.sum(c, 0); np.sum(I, dtype=float); np.sum(a, keepdims=True)
np.prod(a); np.prod(a, 1); np.prod(a, (0, 1), keepdims=True); np.prod(a, where=K, initial=2.0); np.prod(I); np.prod(U)
np.prod(t, axis=(0, -1)); np.prod(c, 0)
np.mean(a); np.mean(a, 0); np.mean(t, axis=(1, 2), keepdims=True); np.mean(I); np.mean(K, 1); np.mean(a, where=K)
np.mean(a, axis=1, where=K, keepdims=True); np.mean(c); np.mean(a, dtype=np.float32)
np.average(a); np.average(a, 1); np.average(a, axis=1, weights=G); np.average(a, weights=p)
np.average(a, 0, [1, 2, 3.0], returned=True); np.average(t, axis=(0, 2), weights=np.ones((2, 4)) * abs(r))
np.average(a, 0, w, keepdims=True); np.average(I, returned=True); np.average(t, (2, 0), abs(r).T)
np.var(a); np.var(a, 0); np.var(a, axis=1, ddof=1, keepdims=True); np.var(I); np.var(t, (0, 1)); np.var(a, where=K)
np.var(a, 1, where=K, ddof=0.5); np.var(c, 0); np.var(a, 0, mean=np.mean(a, 0, keepdims=True))
np.var(a, correction=1)
np.std(a); np.std(a, 0); np.std(a, axis=1, ddof=1, keepdims=True); np.std(I, 0); np.std(t, (0, 2)); np.std(a, where=K)
np.std(a, correction=1); np.std(c)
np.max(a); np.max(a, 0); np.max(t, (0, 2), keepdims=True); np.amax(a, 1); np.max(a, initial=2.0)
np.max(a, 1, where=K, initial=-5.0); np.max(I, 0); np.max(K); np.max(a, axis=0, initial=s)
np.min(a); np.min(a, axis=1); np.min(t, (1,), keepdims=True); np.amin(a); np.min(a, initial=-2.0)
np.min(a, where=K, initial=9.0); np.min(np.ones((0, 3)) * w, 0, initial=1.0)
np.max(c); np.max(c, 1); np.min(c, axis=0, keepdims=True); np.min(c, (0, 1))
np.max(np.round(c)); np.min(np.round(c), 1)
np.ptp(a); np.ptp(a, 0); np.ptp(a, axis=1, keepdims=True); np.ptp(I)
np.argmax(a); np.argmax(a, 1); np.argmax(a, axis=0, keepdims=True); np.argmin(a); np.argmin(t, -1)
np.argmax(a, keepdims=True); np.argmax(K); np.argmin(I); np.argmax(c, 1); np.argmin(c)
np.all(K); np.all(a, 0); np.all(K, axis=(0, 1), keepdims=True); np.any(K, 1); np.any(I, axis=0); np.all(K, where=B)
np.any(a, 0, where=K); np.any(U)
np.count_nonzero(I); np.count_nonzero(K, 0); np.count_nonzero(I, axis=(0, 1), keepdims=True)
np.nansum(n); np.nansum(n, 0); np.nanprod(n, axis=1); np.nanmean(n); np.nanmean(n, 1, keepdims=True); np.nanvar(n)
np.nanvar(n, 0, ddof=1); np.nanstd(n, axis=1); np.nansum(I); np.nanmean(n, where=K); np.nanstd(n)
np.nansum(n, initial=1.0)
np.nanmax(n); np.nanmax(n, 0); np.nanmin(n, axis=1, keepdims=True); np.nanmin(I); np.nanargmax(N); np.nanargmin(N, 0)
np.nanargmax(N, axis=1, keepdims=True); np.nanmax(n, 1, initial=2.0)
np.cumsum(a); np.cumsum(a, 1); np.cumprod(a, axis=0); np.cumprod(v); np.cumsum(I); np.cumsum(a, dtype=np.float32)
np.nancumsum(n); np.nancumprod(n, 1); np.cumsum(s); np.cumsum(K, 0); np.cumsum(U)
np.cumulative_sum(v); np.cumulative_sum(a, axis=1, include_initial=True); np.cumulative_prod(a, axis=0)
"""

QUANTILES = """
np.median(a); np.median(a, 0); np.median(t, (0, 2), keepdims=True); np.median(I); np.median(a, axis=-1)
np.nanmedian(n); np.nanmedian(n, 1, keepdims=True); np.median(N, 0)
np.percentile(a, 30); np.percentile(a, [20, 70], axis=1); np.percentile(a, 100 * q, axis=0, keepdims=True)
np.nanpercentile(n, 40, 1); np.percentile(t, 45.0, (0, 1)); np.percentile(I, 30)
np.quantile(a, 0.3); np.quantile(a, q); np.quantile(a, q, axis=0); np.quantile(t, 0.6, axis=(1, 2))
np.nanquantile(n, q, axis=0); np.quantile(a, [[0.1, 0.9]]); np.quantile(u, 0); np.quantile(u, 1.0)
np.quantile(a, [0.07, 0.33, 0.8], 1, method="inverted_cdf")
np.quantile(a, [0.0, 0.25, 0.5, 1], 1, method="averaged_inverted_cdf")
np.quantile(a, [0.1, 0.375, 0.625, 1], 1, method="closest_observation")
np.quantile(a, q, 1, method="interpolated_inverted_cdf"); np.quantile(a, q, 1, method="hazen")
np.quantile(a, q, 1, method="weibull"); np.quantile(a, q, 1, method="median_unbiased")
np.quantile(a, q, 1, method="normal_unbiased")
np.quantile(a, [0.1, 0.5, 1], 1, method="lower"); np.quantile(a, [0.1, 0.5, 1], 1, method="higher")
np.quantile(a, [0.1, 0.5, 1], 1, method="midpoint"); np.quantile(y, [0.1, 0.125, 0.375, 1], method="nearest")
np.nanquantile(n, [0.1, 0.9], 1, method="hazen")
np.quantile(v, [0.1, 0.55, 0.9], weights=G, method="inverted_cdf")
np.quantile(a, 0.4, axis=1, weights=G, method="inverted_cdf")
np.nanquantile(n, 0.4, 1, weights=abs(F), method="inverted_cdf")
np.percentile(a, 40, axis=0, weights=abs(F), method="inverted_cdf")
"""

PRODUCTS = """
np.dot(v, v); np.dot(a, v); np.dot(a, b.T); np.dot(t, v); np.dot(r, a.T); np.dot(s, a)
np.dot(t, np.swapaxes(t, 1, 2)); np.dot(v, np.transpose(a)); np.dot([1.0, 2, 3, 4], v); np.dot(v, 2.0); np.dot(I, v)
np.dot(d, d)
np.inner(v, v); np.inner(a, b); np.inner(t, v); np.inner(s, v); np.inner(c, v); np.vdot(a, b); np.vdot(c, c)
np.vdot(d, w); np.outer(v, w); np.outer(a, w); np.outer([1, 2], v)
np.tensordot(a, b); np.tensordot(t, a, axes=([1, 2], [0, 1])); np.tensordot(t, v, 1); np.tensordot(v, w, 0)
np.tensordot(a, b, (0, 0)); np.tensordot(t, t, ([0, -1], [0, 2]))
np.einsum("ij,kj->ik", a, b); np.einsum("ij->j", a); np.einsum("ii", m); np.einsum("...j,j", t, v)
np.einsum(a, [0, 1], b, [0, 1]); np.einsum(a, [0, 1], v, [1], [0]); np.einsum("i,j,k->ijk", v, w, u)
np.einsum(t, [Ellipsis, 1], [1, Ellipsis])
np.kron(v, w); np.kron(a, m); np.kron(v, a); np.kron(s, a); np.cross(w, w[::-1]); np.cross(m, w)
np.cross(m, m.T, axis=0); np.cross(m, w, axisa=0, axisc=0)
np.cov(a); np.cov(a, rowvar=False); np.cov(v, v * v); np.cov(a, bias=True); np.cov(a, ddof=0)
np.cov(a, fweights=[1, 2, 1, 3]); np.cov(a, aweights=G); np.cov(a, b, fweights=J + 1, aweights=G); np.cov(c)
np.cov(v)
np.corrcoef(a); np.corrcoef(v, v**2); np.corrcoef(a, b, rowvar=False); np.corrcoef(a, rowvar=False)
"""

CALCULUS = """
np.diff(a); np.diff(a, 2); np.diff(a, axis=0); np.diff(v, prepend=s); np.diff(a, append=np.ones((3, 2))); np.diff(K)
np.diff(a, 0); np.diff(a, 1, 0, v[None], 3.0)
np.ediff1d(a); np.ediff1d(v, to_end=[s, 1.0], to_begin=2.0); np.ediff1d(v, 5.0); np.ediff1d(I)
np.gradient(v); np.gradient(a); np.gradient(a, axis=0); np.gradient(a, 0.5); np.gradient(a, 0.5, 2.0)
np.gradient(y, x); np.gradient(a, s, axis=1); np.gradient(y, x, edge_order=2); np.gradient(a, edge_order=2)
np.gradient(t, 2.0, np.cumsum(G), axis=(0, 2)); np.gradient(I, axis=1)
np.trapezoid(y); np.trapezoid(y, x); np.trapezoid(a, dx=0.5, axis=0); np.trapezoid(a, np.cumsum(p, 1))
np.trapezoid(a, x=x[:3], axis=0); np.trapezoid(I)
np.interp(q * 4, x, y); np.interp(1.3, x, y); np.interp(np.array([-9.0, 90.0]), x, y)
np.interp(np.array([-9.0, 2.0, 90.0]), x, y, left=s, right=-3.0); np.interp(q, [0, 0.5, 1], w)
np.interp(q + 1, x, y + 1j * x); np.interp(q * 9, x, y, period=6.0); np.interp(x, x, y)
np.convolve(u, w); np.convolve(u, w, "same"); np.convolve(u, w, mode="valid"); np.convolve(w, u, "same")
np.convolve(u, v, "same"); np.convolve(v, u, "valid"); np.convolve(d, w); np.convolve(J, J)
np.correlate(u, w); np.correlate(u, v, "same"); np.correlate(u, w, mode="full"); np.correlate(v, u, "same")
np.correlate(w, u, "full"); np.correlate(d, d, "full"); np.correlate(w, d, "same"); np.correlate(w, u)
np.unwrap(u * 4); np.unwrap(a * 5, axis=0); np.unwrap(u * 3, discont=4.0); np.unwrap(u * 3, period=3.5)
np.unwrap(J, period=3); np.unwrap(I * 3, period=4)
np.linspace(s, 2.0, 5); np.linspace(0, v, 3); np.linspace(v, 3.0, 4, endpoint=False, axis=-1)
np.linspace(s, 4.0, 5, retstep=True); np.linspace(w, w + 1, 1); np.linspace(s, 9.0, 4, dtype=int)
np.logspace(s, 1.0, 4); np.logspace(0, v, 3, base=2.0); np.logspace(0, 2, 3, base=G[0]); np.geomspace(G[0], 50.0, 4)
np.geomspace(G, 10.0, 3, endpoint=False, axis=1); np.geomspace(-G, -3.0, 4)
"""

ELEMENTWISE = """
np.clip(a, -1.0, 1.0); np.clip(a, None, 1.0); np.clip(a, v, 3.0); np.clip(a, a_min=-0.5, a_max=s + 5)
np.clip(a, min=0.0, max=2); np.clip(I, 1, 3); np.clip(I, 0.5, 3); np.clip(a, v, b)
np.clip(a, 2.0, 1.0); np.clip(I, 1, v); np.clip(a, 0.0, b + 3)
np.round(a); np.round(a, 1); np.around(a, decimals=2); np.round(I, -1); np.round(c, 1); np.fix(a); np.fix(I)
np.nan_to_num(H); np.nan_to_num(H, nan=1.0, posinf=2.0, neginf=-2.0); np.nan_to_num(n); np.nan_to_num(n, nan=s)
np.nan_to_num(c); np.nan_to_num(I)
np.real(a); np.real(c); np.imag(c); np.imag(a); np.angle(c); np.angle(c, deg=True); np.angle(a); np.real_if_close(c)
np.real_if_close(c + 0j * c - 1j * np.imag(c)); np.iscomplex(c); np.isreal(c); np.isreal(a)
np.sinc(a); np.i0(a); np.sinc(I); np.i0(I)
np.isneginf(H); np.isposinf(H); np.isclose(a, a + 1e-9); np.isclose(a, b, atol=1.0); np.isclose(H, H, equal_nan=True)
np.isclose(H, H); np.isclose(I, I + 0.0); np.isclose(v, 0.5, rtol=2.0)
np.allclose(a, a); np.allclose(a, b); np.allclose(H, H, equal_nan=True); np.array_equal(a, a); np.array_equal(a, v)
np.array_equal(H, H, equal_nan=True); np.array_equal(H, H); np.array_equiv(a, a); np.array_equiv(v, np.stack([v, v]))
np.array_equiv(v, w)
np.zeros_like(a); np.ones_like(a, dtype=int); np.empty_like(a).shape; np.full_like(a, 3.0); np.full_like(a, s)
np.full_like(I, 2.7); np.zeros_like(a, shape=(2, 2)); np.full_like(a, v, np.float32); np.ones_like(I)
"""

SEARCH = """
np.sort(a); np.sort(a, 0); np.sort(a, axis=None); np.sort(t, axis=1, kind="stable"); np.sort(I); np.sort(c, 1)
np.sort(N); np.sort_complex(c); np.sort_complex(I)
np.argsort(a); np.argsort(a, axis=0); np.argsort(a, None); np.argsort(I, 1, kind="stable"); np.argsort(c)
np.argsort(I, stable=True)
np.partition(a, 2)[:, 2]; np.partition(a, 1, axis=0)[1]; np.take_along_axis(a, np.argpartition(a, 2), 1)[:, 2]
np.lexsort((I[0], I[1])); np.lexsort(I); np.lexsort((a, I), axis=0)
np.searchsorted(x, y); np.searchsorted(x, 2.0, side="right"); np.searchsorted(y, [0.1, 0.5], sorter=np.argsort(y))
np.searchsorted(x, a)
np.digitize(a, x); np.digitize(a, x, right=True); np.digitize(x, x[::-1]); np.digitize(x, x[::-1], right=True)
np.digitize(I, [0, 2, 5])
np.bincount(J); np.bincount(J, weights=v); np.bincount(J, v, minlength=6); np.bincount(J, minlength=6)
np.histogram(a); np.histogram(a, 5, range=(-2, 2)); np.histogram(a, bins=[-2, 0, 1, 3.0])
np.histogram(v, 3, weights=v); np.histogram(a, 4, density=True); np.histogram(a, bins="sturges")
np.histogram_bin_edges(a, 4); np.histogram(I, 4); np.histogram(v, [-3.0, 0, 3], weights=v, density=True)
np.histogram(x, 4)
np.histogram2d(v, G); np.histogram2d(v, G, bins=[3, 4]); np.histogram2d(v, G, 2, [[-1, 1], [0, 2]], weights=v)
np.histogramdd(a.T, bins=2); np.histogramdd((v, G), bins=(2, 3), density=True); np.histogram2d(v, G, [-3.0, 0, 3])
np.unique(I); np.unique(a); np.unique(I, return_index=True, return_inverse=True, return_counts=True)
np.unique(np.concatenate([a, a]), axis=0); np.unique(v[J]); np.unique(N); np.unique(N, equal_nan=False)
np.unique_all(I); np.unique_counts(v[J]); np.unique_inverse(I); np.sort(np.unique_values(v[J]))
np.union1d(v, u + 0.01); np.intersect1d(v[J], v); np.intersect1d(I, J, return_indices=True); np.setdiff1d(v, v[:2])
np.setxor1d(u, u[:3]); np.setxor1d(I, J); np.isin(I, J); np.isin(a, v, invert=True); np.isin(I, [1, 2])
"""

INSPECTION = """
np.shape(a); np.ndim(a); np.size(a); np.size(a, 1); np.size(s); np.iscomplexobj(c); np.iscomplexobj(a)
np.isrealobj(a); np.isrealobj(c)
np.result_type(a, np.float32); np.result_type(I, U); np.can_cast(np.result_type(a), "float32"); np.common_type(a, I)
np.min_scalar_type(a); np.min_scalar_type(s); np.may_share_memory(a, a); np.shares_memory(a, b)
np.may_share_memory(a, b)
np.array2string(I); np.array_repr(J); np.array_str(U); np.array_repr(I, max_line_width=20)
np.array2string(J, separator=";")
np.packbits(K); np.unpackbits(U); np.packbits(K, axis=1, bitorder="little"); np.unpackbits(U, count=5)
np.einsum_path("ij,j", a, v)[0]
"""

UFUNCS = """
np.add.reduce(a); np.add.reduce(a, axis=None); np.multiply.reduce(a, 1, keepdims=True); np.maximum.reduce(a)
np.minimum.reduce(a, axis=(0, 1)); np.logical_and.reduce(K); np.logical_or.reduce(I, 1); np.logaddexp.reduce(a)
np.subtract.reduce(a); np.hypot.reduce(a, axis=1, keepdims=True); np.power.reduce(p[:2]); np.bitwise_or.reduce(I)
np.logaddexp.reduce(a, axis=None); np.logaddexp.reduce(t, axis=(0, 2))
np.add.accumulate(a); np.multiply.accumulate(a, 1); np.maximum.accumulate(a); np.minimum.accumulate(a, axis=1)
np.logaddexp.accumulate(a, axis=1); np.subtract.accumulate(v); np.add.accumulate(I)
np.add.outer(v, w); np.multiply.outer(a, v); np.maximum.outer(v, w + 0.1); np.subtract.outer(v, [1.0, 2])
np.greater.outer(v, w); np.add.reduceat(u, [0, 2, 4]); np.add.reduceat(a, [0, 2], axis=1)
np.multiply.reduceat(u, [0, 3, 1])
np.add(v, w[0], dtype=np.float32); np.exp(a, dtype=np.float64); np.add([1.0, 2, 3, 4], v)
np.multiply(v, [s, 1.0, 2.0, s]); np.sqrt(I); np.divide(I, 2); np.exp(J); np.mean(np.log(p))
np.matmul(a, v); np.matmul(t, np.swapaxes(t, 1, 2)); np.vecdot(a, b); np.vecdot(c, c)
np.vecdot(a, b, axis=0); np.matvec(t, v)
np.vecmat(w, a); np.cbrt(a); np.divmod(a, 0.7); np.modf(a); np.sign(a); np.fabs(a); np.rint(a); np.remainder(a, 0.7)
np.fmod(a, 0.7); np.float_power(p, 1.5); np.heaviside(a, 0.5); np.ldexp(a, 2); np.frexp(a)[0]; np.bitwise_count(U)
np.positive(a); np.nextafter(a, b + 0.001)
np.signbit(a); np.copysign(a, b); np.logaddexp2(a, b); np.conj(c); np.absolute(c); np.square(c)
np.reciprocal(a); np.floor_divide(a, 0.7); np.gcd(I, 4); np.lcm(J, 4); np.degrees(a); np.exp2(a); np.log1p(p)
np.arctan2(a, b); np.trunc(a); np.sign(H); np.sign(c)
"""


class Sample:
    """One call, in the form that `tests/support/grouping.py` takes: all calls of a function are one case."""

    kind = "float64"

    def __init__(self, expression, number):
        self.expression, self.number, self.case = expression, number, self
        self.label = re.match(r"np\.(\w+(\.(reduce|accumulate|outer|reduceat))?)", expression)[1]
        self.id = expression

    def __repr__(self):
        return self.expression


_TEXTS = (
    MANIPULATION, JOINING, INDEXING, REDUCTIONS, QUANTILES, PRODUCTS, CALCULUS, ELEMENTWISE, SEARCH, INSPECTION, UFUNCS,
)  # fmt: skip
_CALLS = [one.strip() for text in _TEXTS for line in text.strip().split("\n") for one in line.split("; ")]
SAMPLES = [Sample(expression, number) for number, expression in enumerate(_CALLS)]
