"""What arguments mean, by their names: for all functions whose docstring does not say it.

An operator's own docstring comes first, then its entry of `BY_FUNCTION`, then what the function named in `RELATIVES`
says of an argument of that name, then `SPECIAL` for functions of `adjoint.special`, then `GLOSSARY`.
"""

GLOSSARY = {
    "A": "a matrix, or a batch of matrices.",
    "B": "the right-hand side, a matrix or a batch of matrices.",
    "LU": "the compact LU factors, from `linalg.lu_factor`.",
    "LU_data": "the compact LU factors, from `linalg.lu_factor`.",
    "LU_pivots": "the pivots, from `linalg.lu_factor`.",
    "alpha": "the factor of `other`.",
    "batch1": "the first batch of matrices.",
    "batch2": "the second batch of matrices.",
    "beta": "the factor of `input`.",
    "bias": "the bias; optional.",
    "ceil_mode": "whether to round the output size up instead of down.",
    "descending": "whether to sort in descending order.",
    "device": "the device of the result; by default the CPU.",
    "diagonal": "which diagonal: 0 is the main one, positive ones are above it, negative ones below.",
    "dim": "the dimension; negative ones count from the last.",
    "dtype": "the dtype to convert to before computing; by default that of the input.",
    "eps": "a small number that avoids division by zero.",
    "fill_value": "the value of all elements.",
    "generator": "the random number generator; the default one if left out.",
    "hx": "the initial hidden state.",
    "index": "the indices, a tensor of integers.",
    "inplace": "whether to modify the input instead of creating a result.",
    "input": "the input tensor.",
    "keepdim": "whether to keep reduced dimensions, with length one.",
    "layout": "accepted for compatibility: `strided`, the layout of all tensors.",
    "like": "a tensor or an array whose array library is used instead of NumPy.",
    "margin": "the margin.",
    "mask": "a tensor of booleans, broadcast with the input.",
    "mat": "the matrix.",
    "mat1": "the first matrix.",
    "mat2": "the second matrix.",
    "memory_format": "the memory layout of the result: `contiguous_format` or `preserve_format`.",
    "offset": "which diagonal: 0 is the main one, positive ones are above it, negative ones below.",
    "other": "the second operand, a tensor or a number.",
    "out": "the tensor to write the result to.",
    "p": "the order of the norm.",
    "pin_memory": "accepted for compatibility; memory is never pinned, so not True.",
    "pivot": "whether to pivot; only True is supported on the CPU.",
    "pivots": "the pivots, from `linalg.lu_factor`.",
    "reduction": '"mean", "sum", or "none" for the losses of the elements.',
    "requires_grad": "whether operations on the result are recorded.",
    "size": "the shape of the result, as several integers or as one tuple.",
    "source": "the tensor to copy from.",
    "src": "the tensor to copy from.",
    "stable": "whether equal elements keep their order; they always do.",
    "target": "the target values.",
    "tensors": "the tensors.",
    "training": "whether to apply it; without it the input is returned unchanged.",
    "upper": "whether to use the upper triangular factor instead of the lower one.",
    "value": "the value, a number or a 0-dim tensor.",
    "vec": "the vector.",
    "vec1": "the first vector.",
    "vec2": "the second vector.",
    "weight": "a weight for each element; optional.",
}

_REDUCED = "the dimension or dimensions to reduce; all by default."

SPECIAL = {
    "a": "the first parameter, a tensor or a number.",
    "alpha": "the first parameter of the weight function.",
    "b": "the second parameter, a tensor or a number.",
    "beta": "the second parameter of the weight function.",
    "c": "the third parameter, a tensor or a number.",
    "cv": "the characteristic value.",
    "d": "the degrees.",
    "delta": "where the quadratic part ends.",
    "df": "the degrees of freedom.",
    "dfd": "the degrees of freedom of the denominator.",
    "dfn": "the degrees of freedom of the numerator.",
    "f": "the argument, a tensor or a number.",
    "gamma": "half of the width of the Cauchy distribution at half of its height.",
    "h": "the first argument.",
    "k": "the number of events.",
    "lmb": "the exponent of the power.",
    "lmbda": "the exponent.",
    "m": "the parameter.",
    "mn": "the mean.",
    "n": "the order, the degree or the number of trials.",
    "nc": "the noncentrality.",
    "nu": "the order.",
    "p": "the probability, or the last parameter.",
    "phi": "the angle, in radians.",
    "q": "the second parameter.",
    "r": "the residual.",
    "s": "the seconds.",
    "sigma": "the standard deviation of the normal distribution.",
    "std": "the standard deviation.",
    "theta": "the polar angle, in radians.",
    "u": "the argument.",
    "v": "the order, the degree or the degrees of freedom.",
    "x": "the argument, a tensor or a number.",
    "y": "the second argument, or the value of the function that is inverted.",
    "z": "the argument, a tensor or a number, or the last of several.",
}
"""The same for the functions of `adjoint.special`, whose arguments have SciPy's names."""

BY_FUNCTION = {
    **{(name, "alpha"): "the factor of the product." for name in ("addbmm", "addmm", "addmv", "addr", "baddbmm")},
    ("arange", "end"): "the end of the interval, excluded; the only argument if there is one.",
    ("arange", "start"): "the start of the interval; by default 0.",
    ("arange", "step"): "the distance of neighbours; by default 1.",
    ("broadcast_to", "further"): "further lengths, if the shape is given as several integers.",
    ("chain_matmul", "matrices"): "the matrices.",
    ("chunk", "chunks"): "the number of parts.",
    ("combinations", "r"): "the number of elements of each combination.",
    ("combinations", "with_replacement"): "whether an element may occur several times.",
    ("dot", "tensor"): "the second vector.",
    ("einsum", "equation"): 'the subscripts in Einstein notation, such as "ij,jk->ik".',
    ("einsum", "operands"): "the operands, tensors.",
    ("flatten", "end_dim"): "the last dimension to flatten, included.",
    ("flatten", "start_dim"): "the first dimension to flatten.",
    ("flip", "dims"): "the dimensions to reverse.",
    ("hamming_window", "alpha"): "the constant term.",
    ("hamming_window", "beta"): "the factor of the cosine.",
    ("huber_loss", "delta"): "where the loss turns from quadratic to linear.",
    **{(name, "kernel_size"): "the size of the kernel, a number or a pair." for name in ("im2col", "col2im")},
    ("kthvalue", "k"): "which one, counted from 1.",
    ("linalg_eigvalsh", "UPLO"): 'which triangle is read: "L" or "U".',
    ("linalg_matrix_power", "n"): "the exponent, an integer.",
    ("linalg_tensorsolve", "A"): "the tensor taken as a linear map.",
    ("linalg_tensorsolve", "B"): "the right-hand side.",
    ("linalg_vecdot", "x"): "the first vectors, which are conjugated.",
    ("linalg_vecdot", "y"): "the second vectors.",
    ("linspace", "end"): "the last number.",
    ("linspace", "start"): "the first number.",
    ("linspace", "steps"): "how many numbers.",
    ("logspace", "steps"): "how many numbers.",
    ("logspace", "base"): "the base of the logarithmic scale; by default 10.",
    ("logspace", "end"): "the exponent of the last number.",
    ("logspace", "start"): "the exponent of the first number.",
    ("margin_ranking_loss", "input1"): "the first inputs.",
    ("margin_ranking_loss", "input2"): "the second inputs.",
    ("margin_ranking_loss", "target"): "1 or -1 for each pair.",
    ("hinge_embedding_loss", "target"): "1 or -1 for each element.",
    ("soft_margin_loss", "target"): "1 or -1 for each element.",
    ("nonzero", "as_tuple"): "whether to return one tensor of indices per dimension, instead of a matrix.",
    ("pinverse", "rcond"): "singular values below this fraction of the largest count as zero.",
    ("pixel_shuffle", "upscale_factor"): "the factor r by which height and width grow.",
    ("pixel_unshuffle", "downscale_factor"): "the factor r by which height and width shrink.",
    ("qr", "some"): "whether to return the reduced decomposition instead of the complete one.",
    ("renorm", "maxnorm"): "the largest norm that is allowed.",
    ("rot90", "dims"): "the two dimensions of the plane of rotation.",
    ("rot90", "k"): "how many times to rotate.",
    ("smooth_l1_loss", "beta"): "where the loss turns from quadratic to linear.",
    ("svd", "compute_uv"): "whether to compute U and V; they are zero otherwise.",
    ("svd", "some"): "whether to return the reduced decomposition instead of the complete one.",
    ("swapaxes", "axis0"): "the first dimension.",
    ("swapaxes", "axis1"): "the second dimension.",
    ("take", "index"): "indices of the flattened input, of any shape.",
    ("take_along_dim", "dim"): "the dimension; by default the input is flattened.",
    ("take_along_dim", "indices"): "the indices, broadcast with the input.",
    ("tensordot", "a"): "the first tensor.",
    ("tensordot", "b"): "the second tensor.",
    ("lu_solve", "b"): "the right-hand side, a matrix or a batch of matrices.",
    ("tile", "dims"): "how often to repeat along each dimension.",
    ("tile", "sizes"): "how often to repeat along each dimension.",
    ("transpose", "dim0"): "the first dimension.",
    ("transpose", "dim1"): "the second dimension.",
    ("unfold", "dimension"): "the dimension.",
    ("unfold", "size"): "the length of a window.",
    ("unfold", "step"): "the distance from one window to the next.",
    **{
        (name, "dim"): _REDUCED
        for name in "all any amax amin count_nonzero nansum nanmean std std_mean var_mean".split()
    },
    **{(name, "dim"): "the dimension; by default the input is flattened." for name in ("argmax", "argmin")},
    **{
        (name, "dim"): "the dimension to reduce; by default all elements are." for name in ("aminmax", "median", "prod")
    },
    **{(name, "dim"): "the dimensions, one or several." for name in ("logsumexp", "frobenius_norm", "nuclear_norm")},
    **{
        (name, "indices_or_sections"): "the number of parts, or the indices to split at."
        for name in ("tensor_split", "hsplit", "vsplit", "dsplit")
    },
    **{(name, "row"): "the number of rows." for name in ("tril_indices", "triu_indices")},
    **{(name, "col"): "the number of columns." for name in ("tril_indices", "triu_indices")},
    **{
        (name, "dtype"): "the dtype; int64 by default."
        for name in ("tril_indices", "triu_indices", "randint", "randperm")
    },
    ("tensor_split", "dim"): "the dimension.",
    ("diagonal", "dim1"): "the first dimension of the matrices.",
    ("diagonal", "dim2"): "the second dimension of the matrices.",
    ("split_with_sizes", "split_sizes"): "the length of each part.",
    ("scalar_tensor", "s"): "the number.",
    ("select", "index"): "the index.",
    ("randperm", "n"): "the number of integers.",
    ("randint", "arguments"): "``high, size`` or ``low, high, size``.",
    **{(f"{name}_like", "kwargs"): f"the keyword arguments of `{name}`." for name in ("rand", "randn", "randint")},
    ("randint_like", "bounds"): "``high`` or ``low, high``.",
    ("lstm", "train"): "whether to apply dropout.",
}

RELATIVES = {
    "allclose": "isclose",
    **dict.fromkeys(("arange", "empty", "empty_like", "empty_strided", "eye", "fft_fftfreq", "full"), "zeros"),
    **dict.fromkeys(("full_like", "linspace", "logspace", "ones", "ones_like", "randn", "scalar_tensor"), "zeros"),
    **dict.fromkeys(("hamming_window", "hann_window", "blackman_window", "kaiser_window"), "bartlett_window"),
    **dict.fromkeys(("rand_like", "randn_like", "randint_like", "zeros_like", "bartlett_window", "rand"), "zeros"),
    "randint_like": "randint",
    "zeros": "tensor",
    **dict.fromkeys(("nanmedian",), "median"),
    **dict.fromkeys(("avg_pool1d", "avg_pool3d", "lp_pool2d"), "avg_pool2d"),
    **dict.fromkeys(("lp_pool1d", "lp_pool3d"), "lp_pool2d"),
    **dict.fromkeys(("max_pool1d", "max_pool3d", "max_unpool2d"), "max_pool2d"),
    **dict.fromkeys(("max_unpool1d", "max_unpool3d"), "max_unpool2d"),
    **{f"max_pool{n}d_with_indices": "max_pool2d" for n in (1, 2, 3)},
    **{f"adaptive_max_pool{n}d_with_indices": "adaptive_max_pool2d" for n in (1, 2, 3)},
    **dict.fromkeys(("adaptive_max_pool1d", "adaptive_max_pool3d"), "adaptive_max_pool2d"),
    **dict.fromkeys(("adaptive_avg_pool1d", "adaptive_avg_pool3d"), "adaptive_avg_pool2d"),
    **dict.fromkeys(("conv2d", "conv3d", "conv_transpose1d", "im2col", "col2im"), "conv1d"),
    **dict.fromkeys(("conv_transpose2d", "conv_transpose3d"), "conv_transpose1d"),
    "fold": "col2im",
    **dict.fromkeys(("gru_cell", "rnn_tanh_cell", "rnn_relu_cell"), "lstm_cell"),
    **dict.fromkeys(("gru", "rnn_tanh", "rnn_relu"), "lstm"),
    **{f"fft_{inverse}{kind}fft": "fft_fft" for inverse in ("", "i") for kind in "rh"},
    **{
        f"fft_{inverse}{kind}fft{rank}": "fft_fftn" for inverse in ("", "i") for kind in ("", "r", "h") for rank in "2n"
    },
    "fft_ifft": "fft_fft",
    "fft_fftn": "fft_fft",
    "fft_rfftfreq": "fft_fftfreq",
    **dict.fromkeys(("std", "std_mean", "var_mean"), "var"),
    **dict.fromkeys(("trapz", "cumulative_trapezoid"), "trapezoid"),
    "nanquantile": "quantile",
    **dict.fromkeys(("upsample", "upsample_nearest", "upsample_bilinear"), "interpolate"),
    "embedding_bag": "embedding",
    "affine_grid": "grid_sample",
    "linalg_solve_ex": "linalg_solve",
    **dict.fromkeys(("matrix_power",), "linalg_matrix_power"),
    **{f"{name}_": name for name in ("dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout", "rrelu")},
    "argsort": "sort",
    "istft": "stft",
    "orgqr": "linalg_householder_product",
    "l1_loss": "mse_loss",
    "huber_loss": "mse_loss",
    "as_strided_scatter": "as_strided",
    "slice_scatter": "slice_copy",
    "diagonal_scatter": "diagonal",
    "select_scatter": "select",
    "scatter_add": "scatter",
}
"""Functions whose arguments mean what they mean in another one. ``name_copy`` follows ``name`` without being listed."""

METHODS = {
    ("uniform_", "from_"): "the lower bound.",
    ("uniform_", "to"): "the upper bound, excluded.",
    ("normal_", "mean"): "the mean.",
    ("normal_", "std"): "the standard deviation.",
    ("log_normal_", "mean"): "the mean of the logarithm.",
    ("log_normal_", "std"): "the standard deviation of the logarithm.",
    ("exponential_", "lambd"): "the rate.",
    ("cauchy_", "median"): "the median.",
    ("cauchy_", "sigma"): "half the width at half maximum.",
    ("geometric_", "p"): "the probability of success.",
    ("bernoulli_", "p"): "the probability of one, a number or a tensor.",
    ("random_", "from_"): "the lower bound; by default 0.",
    ("random_", "to"): "the upper bound, excluded; by default the largest that the dtype holds exactly.",
    **{
        (f"{name}_", "generator"): GLOSSARY["generator"]
        for name in "uniform normal log_normal exponential cauchy geometric bernoulli random".split()
    },
    ("polygamma", "n"): "the order of the derivative.",
    ("apply_", "callable"): "a function of one number.",
    ("as_subclass", "cls"): "the subclass.",
    ("cpu", "memory_format"): "accepted for compatibility.",
    ("cuda", "device"): "the device or its number.",
    ("cuda", "memory_format"): "accepted for compatibility.",
    ("cuda", "non_blocking"): "accepted for compatibility.",
    ("fill_", "value"): "the value, a number or a 0-dim tensor.",
    ("float_power_", "exponent"): "a tensor or a number.",
    ("is_contiguous", "memory_format"): "accepted for compatibility.",
    ("is_set_to", "tensor"): "the other tensor.",
    ("map2_", "callable"): "a function of three numbers.",
    ("map2_", "x"): "the other tensors.",
    ("map2_", "y"): "the other tensors.",
    ("map_", "callable"): "a function of two numbers.",
    ("map_", "tensor"): "the other tensor.",
    ("register_hook", "hook"): "a function of the gradient.",
    ("register_post_accumulate_grad_hook", "hook"): "a function of the tensor.",
    ("requires_grad_", "requires_grad"): "whether operations are recorded.",
    ("resize_", "memory_format"): "accepted for compatibility.",
    ("resize_as_", "memory_format"): "accepted for compatibility.",
    ("resize_as_", "the_template"): "the tensor whose size is taken.",
    ("set_", "source"): "the tensor whose memory to take.",
    ("size", "dim"): "the dimension; None for the whole shape.",
    ("stride", "dim"): "the dimension; None for all strides.",
    ("type", "dtype"): "the dtype or its name.",
    ("type", "non_blocking"): "accepted for compatibility.",
    ("where", "condition"): "a tensor of booleans.",
    ("where", "other"): "a tensor or a number.",
}
"""Arguments of methods of Tensor that are no operators."""

EXAMPLES = {
    "uniform_": """
>>> ad.zeros(2, 3).uniform_().shape
adjoint.Size([2, 3])
""",
    "normal_": """
>>> ad.zeros(2, 3).normal_().shape
adjoint.Size([2, 3])
""",
    "log_normal_": """
>>> ad.zeros(2, 3).log_normal_().shape
adjoint.Size([2, 3])
""",
    "exponential_": """
>>> ad.zeros(2, 3).exponential_().shape
adjoint.Size([2, 3])
""",
    "cauchy_": """
>>> ad.zeros(2, 3).cauchy_().shape
adjoint.Size([2, 3])
""",
    "geometric_": """
>>> ad.zeros(2, 3).geometric_(0.5).shape
adjoint.Size([2, 3])
""",
    "bernoulli_": """
>>> ad.zeros(2, 3).bernoulli_().shape
adjoint.Size([2, 3])
""",
    "random_": """
>>> ad.zeros(2, 3).random_(10).shape
adjoint.Size([2, 3])
""",
    "polygamma": """
>>> ad.tensor([1.0, 2.0]).polygamma(1)
tensor([1.6449, 0.6449])
""",
    "as_subclass": """
>>> class Length(ad.Tensor): pass
>>> type(ad.ones(2).as_subclass(Length)).__name__
'Length'
""",
    "cpu": """
>>> ad.ones(2).cpu().device
device(type='cpu')
""",
    "cuda": """
>>> ad.ones(2).cuda()  # doctest: +SKIP
""",
    "data_ptr": """
>>> x = ad.ones(3)
>>> x[1:].data_ptr() - x.data_ptr()
4
""",
    "detach_": """
>>> x = ad.ones(2, requires_grad=True) * 2
>>> x.detach_().requires_grad
False
""",
    "dim": """
>>> ad.ones(2, 3).dim()
2
""",
    "dim_order": """
>>> ad.ones(2, 3).t().dim_order()
(1, 0)
""",
    "element_size": """
>>> ad.ones(2).element_size()
4
""",
    "float_power_": """
>>> ad.tensor([2.0, 3.0], dtype=ad.float64).float_power_(2)
tensor([4., 9.], dtype=adjoint.float64)
""",
    "get_device": """
>>> ad.ones(2).get_device()
-1
""",
    "is_distributed": """
>>> ad.ones(2).is_distributed()
False
""",
    "is_inference": """
>>> ad.ones(2).is_inference()
False
""",
    "is_set_to": """
>>> x = ad.ones(2)
>>> x.is_set_to(x.detach())
True
""",
    "map2_": """
>>> ad.tensor([1.0, 2.0]).map2_(ad.ones(2), ad.ones(2), lambda a, b, c: a + b + c)
tensor([3., 4.])
""",
    "map_": """
>>> ad.tensor([1.0, 2.0]).map_(ad.tensor([3.0, 4.0]), lambda a, b: a * b)
tensor([3., 8.])
""",
    "register_post_accumulate_grad_hook": """
>>> x = ad.ones(2, requires_grad=True)
>>> handle = x.register_post_accumulate_grad_hook(lambda tensor: print(tensor.grad))
>>> (2 * x).sum().backward()
tensor([2., 2.])
""",
    "requires_grad_": """
>>> ad.ones(2).requires_grad_().requires_grad
True
""",
    "resize_as_": """
>>> ad.arange(6).resize_as_(ad.ones(2))
tensor([0, 1])
""",
    "retain_grad": """
>>> x = ad.ones(2, requires_grad=True)
>>> y = x * 2
>>> y.retain_grad()
>>> y.sum().backward()
>>> y.grad
tensor([1., 1.])
""",
    "where": """
>>> x = ad.tensor([1.0, -2.0])
>>> x.where(x > 0, 0)
tensor([1., 0.])
""",
}
"""Examples of these methods."""
