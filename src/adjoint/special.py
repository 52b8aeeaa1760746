"""Special functions: PyTorch's `torch.special`."""

from adjoint._dispatch.table import fill_section as _fill_section

_fill_section(
    globals(),
    "special_",
    also="digamma erf erfc erfinv exp2 expm1 i0 log1p log_softmax logit logsumexp polygamma round sinc softmax xlogy",
    expit="sigmoid",
    gammainc="igamma",
    gammaincc="igammac",
    gammaln="lgamma",
    modified_bessel_i0="i0",
    modified_bessel_i1="special_i1",
    multigammaln="mvlgamma",
    psi="digamma",
)
