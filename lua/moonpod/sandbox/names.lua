-- names - what scripts of a sandbox have of `pod`, part by part, and what they have not. A public name is in one of the
-- two lists: a test says which is in none.

-- Which have two names.
local SCHEDULES = "cosine_decay cosine_decay_restarts exponential_decay inverse_time_decay is_schedule "
  .. "linear_scale piecewise_constant_decay polynomial_decay"

return {
  allowed = {
    pod = "abs acos acosh activations add add_chip add_chips advise advisor after all allclose any any_size "
      .. "applications arange argmax argmin argsort asin asinh at atan atan2 atanh auto_strategy barrier bitcast "
      .. "bitwise_and bitwise_not bitwise_or bitwise_xor boolean_mask broadcast_to callbacks cast ceil check chips "
      .. "clip cluster compile_report concat concatenate cond constraints convert_to_tensor cos cosh count_nonzero "
      .. "cumsum custom_gradient data datasets debug deserialize device devices dimension_size display distribute "
      .. "divide divide_no_nan dot dtype dynamic_slice dynamic_update_slice einsum equal erf erf_inv exp "
      .. "expand_dims explain expm1 eye flatten flip floating floor floor_divide full full_like func gather "
      .. "get_float32_matmul_precision get_strategy gradcheck greater greater_equal image in_top_k index "
      .. "index_update initializers iota is_finite is_float is_inf is_integer is_nan is_tensor is_variable layers "
      .. "left_shift less less_equal linspace load_exported log log10 log1p log2 log_placement log_softmax "
      .. "logical_and logical_not logical_or logical_xor logsumexp losses masked_loss matmul max maximum mean "
      .. "memory_info metrics min minimum mixed_precision mod models moments moveaxis multiply negative nn norm "
      .. "not_equal one_hot ones ones_like op_rules optimizers outer pad padding pair plot power print "
      .. "print_options prod profiler promote random reciprocal register register_layer regularizers relu remainder "
      .. "remat repeat_ reshape right_shift roll round row rsqrt scatter schedules "
      .. "segment_sum serialize set_float32_matmul_precision sigmoid sign sin sinh slice slice_axis softmax softplus "
      .. "sort spec split sqrt square squared_difference squeeze stack std stop_gradient subtract suitability sum "
      .. "summary swapaxes sync take take_along_axis tan tanh tape tensor tensordot tile top_k topology train "
      .. "transpose tril triu trunc unstack utils var variable version where while_loop zeros zeros_like",
    ["pod.activations"] = "celu elu exponential gelu get glu hard_shrink hard_sigmoid hard_silu hard_swish "
      .. "hard_tanh leaky_relu linear log_sigmoid log_softmax mish relu relu6 selu sigmoid silu soft_shrink softmax "
      .. "softplus softsign sparse_plus sparse_sigmoid sparsemax squareplus swish tanh tanh_shrink threshold",
    ["pod.advisor"] = "advise batch_rules find lr_find memory_info scaling sensitivity twins verify_equivalence whatif",
    ["pod.applications"] = "bert_base gpt2_small mobilenet_v2 resnet18 resnet50 unet vit_small",
    ["pod.callbacks"] = "backup_and_restore csv_logger early_stopping history is_callback json_logger lambda "
      .. "learning_rate_scheduler model_checkpoint names progress reduce_lr_on_plateau subclass swap_ema_weights "
      .. "tensorboard terminate_on_nan",
    ["pod.cluster"] = "auto_strategy connect connect_to initialize resolve shutdown",
    ["pod.constraints"] = "get is_constraint max_norm min_max_norm non_neg unit_norm",
    ["pod.data"] = "AUTOTUNE INFINITE SHARD_HINT UNKNOWN choose_from_datasets csv distribute "
      .. "distribute_from_function fixed_length_records from_generator from_tensor_slices from_tensors from_texts "
      .. "image_dataset_from_directory image_folder is_dataset lint list_files load load_csv load_hdf5 load_idx "
      .. "load_npy load_npz load_safetensors random range read_file records sample_from_datasets save_hdf5 save_idx "
      .. "save_npy save_npz save_safetensors synthetic text_dataset_from_directory text_folder text_lines tfrecord "
      .. "zip",
    ["pod.data.records"] = "decode example read shard writer",
    ["pod.data.synthetic"] = "mnist",
    ["pod.datasets"] = "boston_housing breast_cancer cifar10 cifar100 digits fashion_mnist imdb imdb_word_index iris "
      .. "kjv_text mnist reuters reuters_word_index wine",
    ["pod.debug"] = "nan operations",
    ["pod.device"] = "configure default_name flushes_subnormals full_name has_threads list locate log_placement "
      .. "memory messages open parse placement_log remove rename scope",
    ["pod.distribute"] = "check_same_strategy default_strategy device_assignment get_strategy global_rows "
      .. "has_strategy in_replica_context is_per_replica layout_map mesh mirrored model_parallel observe_cores "
      .. "replica_context replica_id sum_over_replicas tpu_strategy within",
    ["pod.image"] = "adjust_brightness adjust_contrast center_crop central_crop convert_image_dtype "
      .. "crop_to_bounding_box decode_image decode_jpeg decode_png encode_jpeg encode_png flip_left_right "
      .. "flip_up_down grayscale_to_rgb pad_to_bounding_box per_image_standardization random_brightness "
      .. "random_contrast random_crop random_erasing random_flip_left_right random_flip_up_down random_rotation "
      .. "random_translation random_zoom resize resize_with_crop_or_pad rgb_to_grayscale rot90 rotate smart_resize "
      .. "transpose",
    ["pod.initializers"] = "constant get glorot_normal glorot_uniform he_normal he_uniform identity is_initializer "
      .. "lecun_normal lecun_uniform ones orthogonal random_normal random_uniform truncated_normal variance_scaling "
      .. "zeros",
    ["pod.layers"] = "activation activity_regularization add additive_attention alpha_dropout attention average "
      .. "average_pooling1d average_pooling2d average_pooling3d avg_pool1d avg_pool2d avg_pool3d "
      .. "batch_normalization bidirectional category_encoding center_crop class_token concatenate conv1d "
      .. "conv1d_transpose conv2d conv2d_transpose conv3d conv3d_transpose conv_lstm1d conv_lstm2d conv_lstm3d "
      .. "convolution1d convolution1d_transpose convolution2d convolution2d_transpose convolution3d "
      .. "convolution3d_transpose cropping1d cropping2d cropping3d dense depthwise_conv1d depthwise_conv2d "
      .. "discretization dot dropout einsum_dense elu embedding flatten from_config gaussian_dropout gaussian_noise "
      .. "global_average_pooling1d global_average_pooling2d global_average_pooling3d global_avg_pool1d "
      .. "global_avg_pool2d global_avg_pool3d global_max_pool1d global_max_pool2d global_max_pool3d "
      .. "global_max_pooling1d global_max_pooling2d global_max_pooling3d group_normalization group_query_attention "
      .. "gru gru_cell hashed_crossing hashing identity input integer_lookup lambda layer_normalization leaky_relu "
      .. "lstm lstm_cell masking max_pool1d max_pool2d max_pool3d max_pooling1d max_pooling2d max_pooling3d maximum "
      .. "minimum multi_head_attention multiply names normalization permute position_embedding prelu "
      .. "random_brightness random_contrast random_crop random_erasing random_flip random_rotation "
      .. "random_translation random_zoom re_lu relu repeat_vector rescaling reshape resizing reversible_embedding "
      .. "rms_normalization rnn separable_conv1d separable_conv2d separable_convolution1d separable_convolution2d "
      .. "simple_rnn simple_rnn_cell softmax spatial_dropout1d spatial_dropout2d spatial_dropout3d "
      .. "spectral_normalization stacked_rnn_cells string_lookup subclass subtract text_vectorization "
      .. "time_distributed unit_normalization up_sampling1d up_sampling2d up_sampling3d zero_padding1d "
      .. "zero_padding2d zero_padding3d",
    ["pod.losses"] = "apply_mask bce binary_crossentropy binary_focal_crossentropy categorical_crossentropy "
      .. "categorical_focal_crossentropy categorical_generalized_cross_entropy categorical_hinge circle "
      .. "compute_average_loss cosine_similarity dice from_function get hinge huber is_loss is_part kl_divergence "
      .. "kld kullback_leibler_divergence log_cosh logcosh mae mape mean_absolute_error "
      .. "mean_absolute_percentage_error mean_squared_error mean_squared_logarithmic_error mse msle poisson reduce "
      .. "same_rank scale_regularization_loss sparse_categorical_crossentropy squared_hinge tversky "
      .. "with_sparse_labels",
    ["pod.metrics"] = "accuracy auc bce binary_accuracy binary_crossentropy binary_iou categorical_accuracy "
      .. "categorical_crossentropy categorical_hinge concordance_correlation cosine_similarity f1_score "
      .. "false_negatives false_positives fbeta_score from_function get hinge iou is_metric kl_divergence kld "
      .. "log_cosh_error logcosh mae mape mean mean_absolute_error mean_absolute_percentage_error mean_iou "
      .. "mean_squared_error mean_squared_logarithmic_error mse msle one_hot_iou one_hot_mean_iou "
      .. "pearson_correlation poisson precision precision_at_recall r2_score recall recall_at_precision rmse "
      .. "root_mean_squared_error sensitivity_at_specificity sparse_categorical_accuracy "
      .. "sparse_categorical_crossentropy sparse_top_k_categorical_accuracy specificity_at_sensitivity "
      .. "squared_hinge subclass sum top_k_categorical_accuracy true_negatives true_positives",
    ["pod.mixed_precision"] = "compare get_float32_matmul_precision get_policy global_policy is_policy policy "
      .. "set_float32_matmul_precision set_global_policy warn",
    ["pod.models"] = "clone_model from_config from_json from_string functional generator is_model load load_model "
      .. "model pipeline sequential subclass",
    ["pod.nn"] = "average_pool conv conv_transpose depthwise_conv max_pool separable_conv",
    ["pod.optimizers"] = "adadelta adafactor adagrad adam adamax adamw ftrl get is_optimizer lamb lars lion "
      .. "loss_scale_optimizer muon nadam rmsprop schedules sgd",
    ["pod.optimizers.schedules"] = SCHEDULES,
    ["pod.plot"] = "bar confusion_matrix heat_map histogram image image_grid line log scatter",
    ["pod.profiler"] = "annotate batches is_on record start stop take trace",
    ["pod.random"] = "advance bernoulli categorical draw dropout generator get_state normal permutation "
      .. "restore_state set_seed shuffle truncated_normal uniform unless_it_fails",
    ["pod.regularizers"] = "get is_regularizer l1 l1_l2 l2 orthogonal",
    ["pod.schedules"] = SCHEDULES,
    ["pod.summary"] = "writer",
    ["pod.train"] = "checkpoint checkpoint_manager",
    ["pod.utils"] = "pad_sequences plot_model timeseries_dataset_from_array to_categorical",
  },
  refused = {
    pod = "cache core help sandbox session",
    ["pod.constraints"] = "by_class",
    ["pod.data"] = "service",
    ["pod.debug"] = "break_ on_break",
    ["pod.device"] = "context core resolver set_resolver watch_resolver",
    ["pod.initializers"] = "by_name",
    ["pod.losses"] = "by_name functions",
    ["pod.metrics"] = "by_name",
    ["pod.optimizers"] = "by_name",
    ["pod.regularizers"] = "by_class",
    ["pod.schedules"] = "by_class",
  },
}
