"""Names of the functions of every namespace: the Python array API standard (2024.12) and our extras."""

from __future__ import annotations

from typing import Final

_CONSTANTS = "e inf nan newaxis pi"

_CREATION = """
arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu zeros
zeros_like
"""

_DTYPES = "astype broadcast_arrays broadcast_to can_cast finfo iinfo isdtype result_type"

_ELEMENTWISE = """
abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or
bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor floor_divide greater
greater_equal hypot imag isfinite isinf isnan less less_equal log log10 log1p log2 logaddexp logical_and logical_not
logical_or logical_xor maximum minimum multiply negative nextafter not_equal positive pow real reciprocal remainder
round sign signbit sin sinh sqrt square subtract tan tanh trunc
"""

_INDEXING = "take take_along_axis"

_LINEAR_ALGEBRA = "linalg matmul matrix_transpose tensordot vecdot"

_MANIPULATION = """
concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile unstack
"""

_SEARCHING = "argmax argmin count_nonzero nonzero searchsorted where"

_SETS_AND_SORTING = "argsort sort unique_all unique_counts unique_inverse unique_values"

_STATISTICS = "all any cumulative_prod cumulative_sum diff max mean min prod std sum var"

STANDARD: Final = frozenset(
    " ".join(
        (
            _CONSTANTS,
            _CREATION,
            _DTYPES,
            _ELEMENTWISE,
            _INDEXING,
            _LINEAR_ALGEBRA,
            _MANIPULATION,
            _SEARCHING,
            _SETS_AND_SORTING,
            _STATISTICS,
            "fft",
        )
    ).split()
)
"""Every name of the standard's main namespace, apart from the dtypes."""

ELEMENTWISE: Final = frozenset(_ELEMENTWISE.split())
"""Those that work on each element by itself."""

LINALG: Final = frozenset(
    """
    cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank matrix_transpose outer
    pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm
    """.split()
)
"""The names of its extension for linear algebra."""

FFT: Final = frozenset(
    "fft fftfreq fftn fftshift hfft ifft ifftn ifftshift ihfft irfft irfftn rfft rfftfreq rfftn".split()
)
"""The names of its extension for Fourier transforms."""

TAKES_DTYPE: Final = frozenset(
    """
    arange astype can_cast cumulative_prod cumulative_sum empty empty_like eye full full_like isdtype linspace ones
    ones_like prod result_type sum zeros zeros_like
    """.split()
)
"""The functions that are given element types, by position or by name, and must understand ours."""

_PYTORCHS: Final = {
    "betainc": "betainc",
    "betaln": "betaln",
    "cbrt": "cbrt",
    "digamma": "psi",
    "entr": "entr",
    "erf": "erf",
    "erfc": "erfc",
    "erfcx": "erfcx",
    "erfinv": "erfinv",
    "exp2": "exp2",
    "expit": "expit",
    "gammainc": "gammainc",
    "gammaincc": "gammaincc",
    "i0": "i0",
    "i0e": "i0e",
    "i1": "i1",
    "i1e": "i1e",
    "j0": "j0",
    "j1": "j1",
    "k0": "k0",
    "k0e": "k0e",
    "k1": "k1",
    "k1e": "k1e",
    "lgamma": "gammaln",
    "log_ndtr": "log_ndtr",
    "logit": "logit",
    "ndtr": "ndtr",
    "ndtri": "ndtri",
    "polygamma": "polygamma",
    "xlog1py": "xlog1py",
    "xlogy": "xlogy",
    "y0": "y0",
    "y1": "y1",
    "zeta": "zeta",
}
"""Special functions that PyTorch has, too: our name, which is PyTorch's, and SciPy's."""

_MORE_OF_SCIPY = """
agm bdtr bdtrc bdtri bdtrik bdtrin bei beip ber berp besselpoly beta betaincc betainccinv betaincinv binom boxcox
boxcox1p btdtria btdtrib chdtr chdtrc chdtri chdtriv chndtr chndtrinc chndtrix cosdg cosm1 cotdg dawsn ellipe
ellipeinc ellipk ellipkinc ellipkm1 elliprc elliprd elliprf elliprg elliprj erfcinv erfi eval_chebyc eval_chebys
eval_chebyt eval_chebyu eval_gegenbauer eval_genlaguerre eval_hermite eval_hermitenorm eval_jacobi eval_laguerre
eval_legendre eval_sh_chebyt eval_sh_chebyu eval_sh_jacobi eval_sh_legendre exp1 exp10 expi expn exprel fdtr fdtrc
fdtri fdtridfd gamma gammainccinv gammaincinv gammasgn gdtr gdtrc gdtria gdtrib gdtrix hankel1 hankel1e hankel2
hankel2e huber hyp0f1 hyp1f1 hyp2f1 hyperu inv_boxcox inv_boxcox1p it2struve0 itmodstruve0 itstruve0 iv ive jv jve kei
keip ker kerp kl_div kolmogi kolmogorov kv kve lambertw log_wright_bessel loggamma lpmv mathieu_a mathieu_b modstruve
nbdtr nbdtrc nbdtri nbdtrik nbdtrin ncfdtr ncfdtri nctdtr nctdtrinc nctdtrit ndtri_exp nrdtrimn nrdtrisd obl_cv
owens_t pdtr pdtrc pdtri pdtrik poch powm1 pro_cv pseudo_huber radian rel_entr rgamma sindg spence spherical_in
spherical_jn spherical_kn spherical_yn stdtr stdtridf stdtrit struve tandg tklmbda voigt_profile wofz wright_bessel
wrightomega yv yve
"""

_WITH_SLOPES = """
mathieu_cem mathieu_modcem1 mathieu_modcem2 mathieu_modsem1 mathieu_modsem2 mathieu_sem obl_ang1 obl_ang1_cv obl_rad1
obl_rad1_cv obl_rad2 obl_rad2_cv pbdv pbvv pbwa pro_ang1 pro_ang1_cv pro_rad1 pro_rad1_cv pro_rad2 pro_rad2_cv
"""
"""The functions that return a value and its derivative."""

COMPONENTS: Final[dict[str, tuple[str, int]]] = {
    name: (function, place)
    for function, names in {
        "airy": "airy_ai airy_aip airy_bi airy_bip",
        "airye": "airye_ai airye_aip airye_bi airye_bip",
        "assoc_legendre_p": "assoc_legendre_p",
        "ellipj": "ellipj_sn ellipj_cn ellipj_dn ellipj_ph",
        "fresnel": "fresnel_s fresnel_c",
        "it2i0k0": "it2i0 it2k0",
        "it2j0y0": "it2j0 it2y0",
        "itairy": "itairy_ai itairy_bi itairy_ai_of_minus itairy_bi_of_minus",
        "iti0k0": "iti0 itk0",
        "itj0y0": "itj0 ity0",
        "modfresnelm": "modfresnelm_f modfresnelm_k",
        "modfresnelp": "modfresnelp_f modfresnelp_k",
        "shichi": "shichi_shi shichi_chi",
        "sici": "sici_si sici_ci",
        "sph_legendre_p": "sph_legendre_p",
        **{name: f"{name}_value {name}_slope" for name in _WITH_SLOPES.split()},
    }.items()
    for place, name in enumerate(names.split())
}
"""The results of SciPy's functions that return several, each as a function of its own."""

COMPLEX_RESULTS: Final = frozenset(
    """
    hankel1 hankel1e hankel2 hankel2e lambertw modfresnelm_f modfresnelm_k modfresnelp_f modfresnelp_k wofz
    """.split()
)
"""The functions that are complex for real arguments."""

SCIPYS_ONLY: Final = frozenset(_MORE_OF_SCIPY.split()) | frozenset(COMPONENTS)
"""Special functions that PyTorch does not have; in operators' names `special_` stands before them."""

SPECIAL_FUNCTIONS: Final[dict[str, str]] = _PYTORCHS | {
    name: COMPONENTS[name][0] if name in COMPONENTS else name for name in sorted(SCIPYS_ONLY)
}
"""All of them: our name, and that of the function of SciPy."""

EXTRAS: Final = frozenset(SPECIAL_FUNCTIONS) | frozenset(
    """
    as_strided einsum fmod gather getitem index_put pad scatter solve_triangular view_as_complex view_as_real
    """.split()
)
"""The functions beyond the standard, which each namespace defines under the same names."""
