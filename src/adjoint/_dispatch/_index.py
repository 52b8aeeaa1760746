"""Which family of operators has which names. Written by `make index`; do not edit."""

# By file of `adjoint/_ops`: its size in bytes, its functions, its methods of Tensor.
FAMILIES: dict[str, tuple[int, str, str]] = {
    "creation.random": (
        10734,
        """multinomial rand rand_like randint randint_like randn randn_like randperm""",
        """multinomial""",
    ),
    "creation.random_fill": (
        10436,
        """bernoulli normal poisson""",
        """bernoulli bernoulli_ cauchy_ exponential_ geometric_ log_normal_ normal_ random_ uniform_""",
    ),
    "creation.ranges": (
        3576,
        """arange eye linspace logspace""",
        """""",
    ),
    "creation.signal_windows": (
        3286,
        """bartlett_window blackman_window hamming_window hann_window kaiser_window""",
        """""",
    ),
    "creation.tensors": (
        17799,
        """as_tensor asarray empty empty_like empty_strided from_dlpack from_numpy frombuffer full full_like
        ones ones_like scalar_tensor tensor zeros zeros_like""",
        """""",
    ),
    "elementwise.activation": (
        13321,
        """_prelu_kernel celu celu_ elu elu_ gelu hardshrink hardsigmoid hardsigmoid_ hardswish hardswish_
        hardtanh hardtanh_ leaky_relu leaky_relu_ logsigmoid mish mish_ prelu relu relu6 relu6_ relu_ selu
        selu_ silu silu_ softplus softshrink softsign tanhshrink threshold threshold_""",
        """hardshrink prelu relu relu_""",
    ),
    "elementwise.arithmetic": (
        17207,
        """_rdiv abs abs_ absolute absolute_ add add_ addcdiv addcdiv_ addcmul addcmul_ div div_ divide divide_
        float_power floor_divide floor_divide_ fmod fmod_ lerp lerp_ mul mul_ multiply multiply_ neg neg_
        negative negative_ positive pow pow_ reciprocal reciprocal_ remainder remainder_ rsqrt rsqrt_ rsub
        sgn sgn_ sign sign_ sqrt sqrt_ square square_ sub sub_ subtract subtract_ true_divide true_divide_""",
        """abs abs_ absolute absolute_ add add_ addcdiv addcdiv_ addcmul addcmul_ div div_ divide divide_
        float_power float_power_ floor_divide floor_divide_ fmod fmod_ lerp lerp_ mul mul_ multiply
        multiply_ neg neg_ negative negative_ positive pow pow_ reciprocal reciprocal_ remainder remainder_
        rsqrt rsqrt_ sgn sgn_ sign sign_ sqrt sqrt_ square square_ sub sub_ subtract subtract_ true_divide
        true_divide_""",
    ),
    "elementwise.comparison": (
        8323,
        """allclose bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_
        bitwise_or bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ eq eq_
        equal gcd gcd_ ge ge_ greater greater_ greater_equal greater_equal_ gt gt_ isclose isfinite isinf
        isnan isneginf isposinf isreal lcm lcm_ le le_ less less_ less_equal less_equal_ logical_and
        logical_and_ logical_not logical_not_ logical_or logical_or_ logical_xor logical_xor_ lt lt_ ne ne_
        not_equal not_equal_ signbit""",
        """allclose bitwise_and bitwise_and_ bitwise_left_shift bitwise_left_shift_ bitwise_not bitwise_not_
        bitwise_or bitwise_or_ bitwise_right_shift bitwise_right_shift_ bitwise_xor bitwise_xor_ eq eq_
        equal gcd gcd_ ge ge_ greater greater_ greater_equal greater_equal_ gt gt_ isclose isfinite isinf
        isnan isneginf isposinf isreal lcm lcm_ le le_ less less_ less_equal less_equal_ logical_and
        logical_and_ logical_not logical_not_ logical_or logical_or_ logical_xor logical_xor_ lt lt_ ne ne_
        not_equal not_equal_ signbit""",
    ),
    "elementwise.complex": (
        10038,
        """angle complex conj conj_physical conj_physical_ imag is_complex is_conj is_floating_point is_signed
        polar real resolve_conj resolve_neg view_as_complex view_as_real""",
        """angle conj conj_physical conj_physical_ imag is_complex is_conj is_floating_point is_signed real
        resolve_conj resolve_neg""",
    ),
    "elementwise.rounding": (
        4561,
        """ceil ceil_ fix fix_ floor floor_ frac frac_ frexp ldexp ldexp_ round round_ trunc trunc_""",
        """ceil ceil_ fix fix_ floor floor_ frac frac_ frexp ldexp ldexp_ round round_ trunc trunc_""",
    ),
    "elementwise.select": (
        11038,
        """clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ copysign copysign_ fmax fmin
        heaviside heaviside_ maximum minimum nan_to_num nan_to_num_ nextafter nextafter_ where""",
        """clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ copysign copysign_ fmax fmin
        heaviside heaviside_ maximum minimum nan_to_num nan_to_num_ nextafter nextafter_ where""",
    ),
    "elementwise.special": (
        13616,
        """i0 i0_ igamma igamma_ igammac igammac_ mvlgamma mvlgamma_ special_bessel_j0 special_bessel_j1
        special_bessel_y0 special_bessel_y1 special_chebyshev_polynomial_t special_chebyshev_polynomial_u
        special_chebyshev_polynomial_v special_chebyshev_polynomial_w special_entr special_erfcx
        special_hermite_polynomial_h special_hermite_polynomial_he special_i0e special_i1 special_i1e
        special_laguerre_polynomial_l special_legendre_polynomial_p special_log_ndtr
        special_modified_bessel_k0 special_modified_bessel_k1 special_ndtr special_ndtri
        special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1
        special_shifted_chebyshev_polynomial_t special_shifted_chebyshev_polynomial_u
        special_shifted_chebyshev_polynomial_v special_shifted_chebyshev_polynomial_w
        special_spherical_bessel_j0 special_xlog1py special_zeta""",
        """i0 i0_ igamma igamma_ igammac igammac_ mvlgamma mvlgamma_""",
    ),
    "elementwise.transcendental": (
        11005,
        """acos acos_ acosh acosh_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan
        arctan2 arctan2_ arctan_ arctanh arctanh_ asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh
        atanh_ cos cos_ cosh cosh_ deg2rad deg2rad_ digamma digamma_ erf erf_ erfc erfc_ erfinv erfinv_ exp
        exp2 exp2_ exp_ expm1 expm1_ hypot hypot_ lgamma lgamma_ log log10 log10_ log1p log1p_ log2 log2_
        log_ logaddexp logaddexp2 logit logit_ polygamma rad2deg rad2deg_ sigmoid sigmoid_ sin sin_ sinc
        sinc_ sinh sinh_ tan tan_ tanh tanh_ xlogy xlogy_""",
        """acos acos_ acosh acosh_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan
        arctan2 arctan2_ arctan_ arctanh arctanh_ asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh
        atanh_ cos cos_ cosh cosh_ deg2rad deg2rad_ digamma digamma_ erf erf_ erfc erfc_ erfinv erfinv_ exp
        exp2 exp2_ exp_ expm1 expm1_ hypot hypot_ lgamma lgamma_ log log10 log10_ log1p log1p_ log2 log2_
        log_ logaddexp logaddexp2 logit logit_ polygamma polygamma_ rad2deg rad2deg_ sigmoid sigmoid_ sin
        sin_ sinc sinc_ sinh sinh_ tan tan_ tanh tanh_ xlogy xlogy_""",
    ),
    "index.advanced": (
        18162,
        """_index _index_put _index_put_ _nonzero argwhere index_put index_put_ nonzero""",
        """argwhere index_put index_put_ nonzero""",
    ),
    "index.basic": (
        11672,
        """_embed _getitem narrow select""",
        """__delitem__ __getitem__ __iter__ __setitem__ narrow select""",
    ),
    "index.gather_scatter": (
        16805,
        """_masked_select _scatter _scatter_ gather masked_fill masked_fill_ masked_scatter masked_scatter_
        masked_select scatter scatter_add scatter_add_ take_along_dim""",
        """gather masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select scatter scatter_
        scatter_add scatter_add_ take_along_dim""",
    ),
    "index.index_select": (
        9836,
        """index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_select put put_ take""",
        """index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_select put put_ take""",
    ),
    "index.keys": (
        4628,
        """""",
        """""",
    ),
    "index.scatter_reduce": (
        9758,
        """index_reduce index_reduce_ scatter_reduce scatter_reduce_""",
        """index_reduce index_reduce_ scatter_reduce scatter_reduce_""",
    ),
    "linalg._matrices": (
        6399,
        """""",
        """""",
    ),
    "linalg.einsum": (
        17391,
        """_einsum_of_one _einsum_of_two bilinear chain_matmul cross einsum ger inner linalg_cross
        linalg_matrix_power linalg_multi_dot linalg_vecdot matrix_power outer tensordot""",
        """cross ger inner matrix_power outer""",
    ),
    "linalg.factorization": (
        19165,
        """_lu _lu_factor cholesky cholesky_inverse cholesky_solve linalg_cholesky linalg_lu linalg_lu_solve
        linalg_qr lu_solve qr""",
        """cholesky cholesky_inverse cholesky_solve lu_solve qr""",
    ),
    "linalg.factorization_ex": (
        11883,
        """_cholesky_info frobenius_norm linalg_cholesky_ex linalg_lu_factor linalg_lu_factor_ex
        linalg_solve_ex lu lu_unpack nuclear_norm orgqr ormqr triangular_solve""",
        """lu orgqr ormqr triangular_solve""",
    ),
    "linalg.matrix_functions": (
        12612,
        """linalg_cond linalg_householder_product linalg_matrix_exp linalg_matrix_norm linalg_norm
        linalg_vander matrix_exp vander""",
        """matrix_exp""",
    ),
    "linalg.products": (
        16548,
        """addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_ baddbmm baddbmm_ bmm dot matmul mm mv vdot""",
        """addbmm addbmm_ addmm addmm_ addmv addmv_ addr addr_ baddbmm baddbmm_ bmm dot matmul mm mv vdot""",
    ),
    "linalg.solve": (
        17921,
        """_cofactors det inverse linalg_det linalg_diagonal linalg_inv linalg_inv_ex linalg_slogdet
        linalg_solve linalg_solve_triangular linalg_tensorinv linalg_tensorsolve logdet slogdet""",
        """det inverse logdet slogdet""",
    ),
    "linalg.spectral": (
        18391,
        """_eigvalsh _svdvals linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh linalg_lstsq
        linalg_matrix_rank linalg_pinv linalg_svd linalg_svdvals pinverse svd""",
        """pinverse svd""",
    ),
    "memory.convert": (
        10038,
        """_contiguous _to_copy clone to type_as""",
        """bfloat16 bool byte cdouble cfloat char clone cpu cuda double float half int long short to type
        type_as""",
    ),
    "memory.detach": (
        9029,
        """_view_dtype contiguous detach detach_""",
        """_base _is_view contiguous data_ptr detach detach_ is_contiguous storage_offset stride
        untyped_storage""",
    ),
    "memory.fill": (
        10879,
        """_copy _copy_ _fill _fill_ _zero _zero_ fill_ zero_""",
        """copy_ fill_ squeeze_ swapaxes_ swapdims_ t_ transpose_ unsqueeze_ zero_""",
    ),
    "memory.resize": (
        9390,
        """as_strided_ resize_as_""",
        """apply_ as_strided_ fill_diagonal_ is_set_to map2_ map_ resize_ resize_as_ set_""",
    ),
    "nn._pool_windows": (
        6952,
        """""",
        """""",
    ),
    "nn._resample": (
        3448,
        """""",
        """""",
    ),
    "nn.avg_pool": (
        12174,
        """_adaptive_avg_pool2d _adaptive_avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d
        adaptive_avg_pool3d avg_pool1d avg_pool2d avg_pool3d local_response_norm lp_pool1d lp_pool2d
        lp_pool3d""",
        """""",
    ),
    "nn.convolution": (
        15439,
        """_convolution_kernel conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d
        convolution""",
        """""",
    ),
    "nn.ctc_loss": (
        6505,
        """ctc_loss""",
        """""",
    ),
    "nn.dropout": (
        8684,
        """alpha_dropout alpha_dropout_ dropout dropout1d dropout2d dropout3d dropout_ feature_alpha_dropout
        feature_alpha_dropout_ feature_dropout feature_dropout_ gumbel_softmax rrelu rrelu_""",
        """""",
    ),
    "nn.embedding": (
        6037,
        """embedding_bag""",
        """""",
    ),
    "nn.grid_sample": (
        8318,
        """affine_grid grid_sample""",
        """""",
    ),
    "nn.interpolate": (
        10741,
        """_upsample interpolate upsample upsample_bilinear upsample_nearest""",
        """""",
    ),
    "nn.linear_attention": (
        12042,
        """_embedding channel_shuffle embedding glu linear pixel_shuffle pixel_unshuffle
        scaled_dot_product_attention""",
        """""",
    ),
    "nn.losses": (
        19452,
        """_mse_loss binary_cross_entropy binary_cross_entropy_with_logits cross_entropy huber_loss l1_loss
        mse_loss nll_loss smooth_l1_loss soft_margin_loss""",
        """""",
    ),
    "nn.losses_composite": (
        13639,
        """cosine_embedding_loss gaussian_nll_loss hinge_embedding_loss kl_div margin_ranking_loss
        multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss poisson_nll_loss
        triplet_margin_loss triplet_margin_with_distance_loss""",
        """""",
    ),
    "nn.max_pool": (
        15034,
        """adaptive_max_pool1d adaptive_max_pool1d_with_indices adaptive_max_pool2d
        adaptive_max_pool2d_with_indices adaptive_max_pool3d adaptive_max_pool3d_with_indices max_pool1d
        max_pool1d_with_indices max_pool2d max_pool2d_with_indices max_pool3d max_pool3d_with_indices
        max_unpool1d max_unpool2d max_unpool3d""",
        """""",
    ),
    "nn.normalization": (
        13499,
        """_batch_norm batch_norm group_norm instance_norm layer_norm rms_norm""",
        """""",
    ),
    "nn.recurrent": (
        9751,
        """gru gru_cell lstm lstm_cell rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell""",
        """""",
    ),
    "nn.unfold": (
        7746,
        """col2im fold im2col""",
        """""",
    ),
    "reduction.extrema": (
        7922,
        """_max_all _max_dim _min_all _min_dim argmax argmin max min""",
        """argmax argmin max min""",
    ),
    "reduction.histogram": (
        7765,
        """_bin_of _even_edges histc histogram histogramdd""",
        """histc histogram""",
    ),
    "reduction.norms": (
        14728,
        """cdist cosine_similarity dist linalg_vector_norm norm normalize pairwise_distance pdist renorm
        renorm_""",
        """dist norm renorm renorm_""",
    ),
    "reduction.reductions": (
        15369,
        """all amax amin aminmax any count_nonzero logsumexp mean nanmean nansum prod sum sum_to_size""",
        """all amax amin aminmax any count_nonzero logsumexp mean nanmean nansum prod sum sum_to_size""",
    ),
    "reduction.scans": (
        16071,
        """cummax cummin cumprod cumprod_ cumsum cumsum_ cumulative_trapezoid diff gradient logcumsumexp
        trapezoid trapz""",
        """cummax cummin cumprod cumprod_ cumsum cumsum_ diff logcumsumexp""",
    ),
    "reduction.search": (
        12647,
        """_first_places _unique _unique_consecutive _unique_dim bincount bucketize isin nonzero_static
        searchsorted unique unique_consecutive unravel_index""",
        """bincount nonzero_static unique unique_consecutive""",
    ),
    "reduction.softmax": (
        3518,
        """log_softmax softmax softmin""",
        """log_softmax softmax""",
    ),
    "reduction.sorting": (
        14133,
        """_median_all _median_dim _nanmedian_all _nanmedian_dim argsort kthvalue median mode msort nanmedian
        nanquantile quantile sort topk""",
        """argsort kthvalue median mode msort nanmedian nanquantile quantile sort topk""",
    ),
    "reduction.statistics": (
        9271,
        """corrcoef cov std std_mean var var_mean""",
        """corrcoef cov std var""",
    ),
    "shape.join_split": (
        17531,
        """_block_diag atleast_1d atleast_2d atleast_3d block_diag cartesian_prod cat chunk column_stack
        combinations concat concatenate dsplit dstack hsplit hstack meshgrid row_stack split
        split_with_sizes stack tensor_split unbind vsplit vstack""",
        """chunk combinations dsplit hsplit split split_with_sizes tensor_split unbind vsplit""",
    ),
    "shape.rearrange": (
        18094,
        """_diagonal_copy _pad_from _unsafe_view constant_pad_nd diag diagflat flip fliplr flipud kron one_hot
        pad repeat repeat_interleave roll rot90 tile trace tril tril_ tril_indices triu triu_ triu_indices""",
        """diag diagflat flip fliplr flipud kron pad repeat repeat_interleave roll rot90 tile trace tril tril_
        triu triu_""",
    ),
    "shape.strided": (
        9962,
        """_as_strided as_strided diag_embed diagonal unfold""",
        """as_strided diag_embed diagonal unfold""",
    ),
    "shape.view_copies": (
        6472,
        """_as_strided_scatter _diagonal_scatter _select_scatter _slice_scatter alias_copy as_strided_copy
        as_strided_scatter diagonal_copy diagonal_scatter expand_copy fill narrow_copy permute_copy
        select_copy select_scatter slice_copy slice_scatter split_copy split_with_sizes_copy squeeze_copy
        t_copy transpose_copy unbind_copy unfold_copy unsqueeze_copy view_as_complex_copy view_as_real_copy
        view_copy""",
        """as_strided_scatter diagonal_scatter narrow_copy select_scatter slice_scatter""",
    ),
    "shape.views": (
        16308,
        """adjoint broadcast_tensors broadcast_to expand expand_as flatten moveaxis movedim permute ravel
        reshape reshape_as squeeze swapaxes swapdims t transpose unflatten unsqueeze view view_as""",
        """H T adjoint broadcast_to expand expand_as flatten mH mT moveaxis movedim permute ravel reshape
        reshape_as squeeze swapaxes swapdims t transpose unflatten unsqueeze view view_as""",
    ),
    "signal.fft": (
        15324,
        """_fft_c2c _fft_c2r _fft_r2c fft_fft fft_fft2 fft_fftfreq fft_fftn fft_fftshift fft_hfft fft_hfft2
        fft_hfftn fft_ifft fft_ifft2 fft_ifftn fft_ifftshift fft_ihfft fft_ihfft2 fft_ihfftn fft_irfft
        fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftfreq fft_rfftn""",
        """""",
    ),
    "signal.stft": (
        8446,
        """istft stft""",
        """istft stft""",
    ),
}
