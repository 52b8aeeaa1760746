"""Calls of `np.linalg`, `np.fft` and the functions of polynomials; see `samples.py` for the variables."""

# `m + 4 * np.eye(3)` is regular, `a @ a.T` positive definite. Eigenvectors and singular vectors are determined up to
# their signs; where NumPy's functions and ours may differ in them, something that does not depend on them is compared.
LINALG = """
np.linalg.norm(v); np.linalg.norm(v, 1); np.linalg.norm(v, 3); np.linalg.norm(v, np.inf); np.linalg.norm(v, -np.inf)
np.linalg.norm(v, 0.5); np.linalg.norm(v, -1); np.linalg.norm(v, 0); np.linalg.norm(d); np.linalg.norm(d, 3)
np.linalg.norm(v, keepdims=True); np.linalg.norm(t); np.linalg.norm(t, keepdims=True); np.linalg.norm(I)
np.linalg.norm(a, "fro"); np.linalg.norm(a, "f"); np.linalg.norm(a, "nuc"); np.linalg.norm(a, 1); np.linalg.norm(a, -1)
np.linalg.norm(a, 2); np.linalg.norm(a, -2); np.linalg.norm(a, np.inf); np.linalg.norm(a, -np.inf); np.linalg.norm(c)
np.linalg.norm(t, axis=1); np.linalg.norm(t, 3, 0, True); np.linalg.norm(t, axis=(0, 2)); np.linalg.norm(c, 2)
np.linalg.norm(t, "nuc", (2, 0), keepdims=True); np.linalg.norm(t, 2, axis=(1, 0))
np.linalg.vector_norm(t, axis=(0, 1)); np.linalg.vector_norm(t, ord=3, keepdims=True); np.linalg.vector_norm(c)
np.linalg.matrix_norm(t); np.linalg.matrix_norm(t, ord=2, keepdims=True); np.linalg.matrix_norm(t, ord="nuc")
np.linalg.cond(a); np.linalg.cond(a, -2); np.linalg.cond(m + 4 * np.eye(3), 1); np.linalg.cond(m + 4 * np.eye(3), "fro")
np.linalg.matrix_rank(a); np.linalg.matrix_rank(a, tol=0.5)
np.linalg.matrix_rank(v); np.linalg.matrix_rank(t, rtol=0.9)
np.linalg.det(m); np.linalg.det(I[:, :3]); np.linalg.slogdet(m + 4 * np.eye(3)); np.linalg.slogdet(c @ c.T)
np.linalg.inv(m + 4 * np.eye(3)); np.linalg.inv(t @ np.swapaxes(t, 1, 2))
np.linalg.pinv(a); np.linalg.pinv(t); np.linalg.pinv(c); np.linalg.pinv(a, rcond=0.1); np.linalg.pinv(a, rtol=None)
np.linalg.pinv(m + 4 * np.eye(3), hermitian=True)
np.linalg.solve(m + 4 * np.eye(3), w); np.linalg.solve(m + 4 * np.eye(3), a); np.linalg.solve(m + 4 * np.eye(3), t)
np.linalg.solve(np.stack([m, m]) + 4 * np.eye(3), w); np.linalg.solve(r[:, :2] + 4 * np.eye(2) + np.zeros((2, 1, 1)), r)
np.linalg.lstsq(a.T, v); np.linalg.lstsq(a.T, v[:, None]); np.linalg.lstsq(a, w, 0.01)[0]; np.linalg.lstsq(c, d)[3]
np.linalg.tensorsolve(np.reshape(m, (3, 1, 3)) + 4 * np.eye(3)[:, None], w[:, None])
np.linalg.tensorinv(np.reshape(m + 4 * np.eye(3), (3, 1, 3)), ind=1)
np.linalg.cholesky(a @ a.T); np.linalg.cholesky(a @ a.T, upper=True); np.linalg.cholesky(c @ c.conj().T)
np.linalg.qr(a.T, "r"); np.linalg.qr(a.T); np.linalg.qr(m, mode="complete")
np.linalg.svd(a, compute_uv=False); np.linalg.svd(a @ a.T, hermitian=True, compute_uv=False); np.linalg.svdvals(c)
np.abs(np.linalg.svd(a, full_matrices=False)[0]); np.abs(np.linalg.svd(c, False).Vh); np.linalg.svd(t, False).S
np.linalg.eigvalsh(m); np.linalg.eigvalsh(m, "U"); np.linalg.eigvalsh(c @ c.conj().T); np.linalg.eigh(m)
np.abs(np.linalg.eigh(m, "U")[1]); np.linalg.eigh(m, UPLO="u").eigenvalues; np.abs(np.linalg.eigh(c @ c.conj().T)[1])
np.linalg.eigvals(np.diag(w) + 0.1 * m); np.linalg.eigvals(c[:, :3]); np.abs(np.linalg.eig(np.diag(w) + 0.1 * m)[1])
np.abs(np.linalg.eig(c[:, :3]).eigenvectors)
np.linalg.matrix_power(m, 3); np.linalg.matrix_power(m + 4 * np.eye(3), -2); np.linalg.matrix_power(I[:, :3], 2)
np.linalg.multi_dot([a, a.T, a]); np.linalg.multi_dot([w, a, v]); np.linalg.matmul(a, v); np.linalg.outer(v, d)
np.linalg.cross(w, d); np.linalg.cross(a, b, axis=0); np.linalg.vecdot(a, b); np.linalg.vecdot(c, c, axis=0)
np.linalg.tensordot(a, b); np.linalg.tensordot(a, t, axes=([0, 1], [1, 2])); np.linalg.tensordot(a, v, axes=(1, 0))
np.linalg.trace(t); np.linalg.trace(t, offset=1); np.linalg.diagonal(t, offset=-1); np.linalg.matrix_transpose(t)
"""

FFT = """
np.fft.fft(v); np.fft.fft(a, 3); np.fft.fft(a, n=6, axis=0); np.fft.fft(c, norm="ortho"); np.fft.fft(J)
np.fft.ifft(v); np.fft.ifft(c, 6, 0, "forward"); np.fft.rfft(u); np.fft.rfft(a, 6); np.fft.rfft(a, axis=0, norm="ortho")
np.fft.irfft(c); np.fft.irfft(c, 5); np.fft.irfft(a, 3, 0); np.fft.hfft(c); np.fft.hfft(c, 5, axis=0)
np.fft.ihfft(u); np.fft.ihfft(a, 6, norm="forward")
np.fft.fft2(t); np.fft.fft2(t, (2, 5), axes=(0, 2)); np.fft.ifft2(c, norm="ortho"); np.fft.fftn(t)
np.fft.fftn(t, axes=(0, 1)); np.fft.fftn(t, (3, 2), (-1, 0)); np.fft.fftn(a, axes=(0, 0)); np.fft.ifftn(c)
np.fft.ifftn(t, s=(2, 3), axes=(1, 2)); np.fft.rfftn(t); np.fft.rfftn(t, (2, 3), axes=(0, 1)); np.fft.rfft2(a)
np.fft.rfftn(a, axes=(1, 1)); np.fft.irfftn(c); np.fft.irfftn(c, (3, 5), (0, 1)); np.fft.irfft2(c, norm="forward")
np.fft.irfftn(c, axes=(0, 0)); np.fft.fftshift(a); np.fft.fftshift(t, axes=(0, 2)); np.fft.ifftshift(u)
np.fft.ifftshift(a, axes=1)
"""

POLYNOMIALS = """
np.polyval(w, v); np.polyval(w, a); np.polyval([1.0, 2, 3], a); np.polyval(w, 2.0); np.polyval(d, c)
np.polyadd(v, w); np.polyadd(w, v); np.polyadd(s, w); np.polysub(w, v); np.polymul(v, w); np.polymul(w, d)
np.polymul([0.0, 0, 1, 2], w); np.polymul(w, [0, 0]); np.polydiv(u, w); np.polydiv(w, v)
np.polyder(v); np.polyder(v, 2); np.polyder(v, 0); np.polyder(w[:1]); np.polyint(v); np.polyint(v, m=2, k=[1.0, 2.0])
np.polyint(v, 2, 3.0); np.polyint(J); np.polyint(w, 1, s)
np.polyfit(x, y, 2); np.polyfit(x, np.stack([y, y + x], 1), 1); np.polyfit(x, y, 1, w=p.ravel()[:5])
np.polyfit(x, y, 2, full=True); np.polyfit(x, y, 1, cov=True); np.polyfit(x, y, 1, cov="unscaled")
np.roots([1.0, -6, s * 0 + 11, -6]); np.roots(w); np.roots(np.concatenate([[0.0], w, [0.0, 0]])); np.roots(w[:1])
np.roots(np.zeros(2) * w[:2]); np.poly(w); np.poly(d); np.poly(m); np.poly([1j, -1j, 2.0 + s * 0])
np.vander(v); np.vander(v, 3); np.vander(v, 5, increasing=True); np.vander(d); np.vander(J)
"""
