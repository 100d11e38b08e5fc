"""Programs that were written before any answer was seen: `./dev bench blind` judges what plans say of them.

    pip install flax optax                      # for those of JAX; the fourth set needs jax alone
    pip install tensorflow                      # for those of TensorFlow, in another environment
    pip install torch==2.9 torch_xla==2.9       # for those of PyTorch/XLA, in a third
    python tests/golden/tpu_blind.py make FOLDER [NAME or SET...]
    python tests/golden/tpu_blind.py pack FOLDER tests/golden/tpu_blind.tar.xz [SET...]
    python tests/golden/tpu_blind.py list

`make` writes what the packages at hand can: a module of StableHLO a program. `pack` puts a folder of them into an
archive, the same bytes each time: those of `blind` and `too_large`, or of the sets that are named (`second` lies in
tpu_blind_2.tar.xz, `third` and `fourth` likewise). Sources are in blind_programs. The list says where a program is
judged: on the chip that it was sized for, and beside it the share of that chip's memory that its author estimated by
hand, or since the third set by a plan.
"""
import collections
import io
import lzma
import os
import re
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "blind_programs"))

Program = collections.namedtuple("Program", "name framework kind source sizes chip share")


def rows(framework, kind, *lines):
    return [Program(line[0], framework, kind, *line[1:]) for line in lines]


# name, source, sizes, chip, share of its memory by hand
PROGRAMS = [
    *rows("jax", "loop",
          ("decode_carry_donated", "jax_loops.tinyllama_decode", {"batch": 96}, "v5e", 0.95),
          ("decode_scanned_donated", "jax_loops.gpt2_token_scanned", {"batch": 72}, "v5e", 0.92),
          ("decode_sampling_kept", "jax_loops.sample_loop", {}, "v5e", 0.25),
          ("scan_remat_lm", "jax_loops.scanned_lm", {"batch": 26}, "v5e", 0.93),
          ("scan_plain_encoder", "jax_loops.encoder_scan_plain", {"batch": 96}, "v5e", 0.91),
          ("accumulate_scan_convnext", "jax_loops.convnext_accumulated", {}, "v3", 0.15),
          ("accumulate_fori_lm", "jax_loops.lm_accumulated_fori", {"batch": 224}, "v5e", 0.9),
          ("ppo_atari", "jax_loops.ppo_update", {}, "v5e", 0.27),
          ("mamba_scan", "jax_loops.mamba_lm", {}, "v5e", 0.3)),
    *rows("tensorflow", "loop", ("sampling_while_gru", "tensorflow_programs.gru_sampler", {}, "v5e", 0.02)),
    *rows("jax", "divided",
          ("data_resnet50_8", "jax_divided.dp_resnet50", {"batch": 3584}, "v5e", 0.95),
          ("data_zero1_bert_4", "jax_divided.zero1_bert", {"batch": 1088}, "v5e", 0.93),
          ("fsdp_gpt2_8", "jax_divided.fsdp_gpt2", {"batch": 128}, "v5e", 0.9),
          ("fsdp_scan_llama_8", "jax_divided.fsdp_scan_llama", {"batch": 48}, "v5e", 0.92),
          ("tensor_llama_prefill_4", "jax_divided.tp_llama_prefill", {}, "v5e", 0.36),
          ("mixed_lm_4x2", "jax_divided.mixed_lm", {"batch": 44}, "v5e", 0.98),
          ("expert_switch_8", "jax_divided.expert_parallel", {}, "v3", 0.2),
          ("rows_of_tables_8", "jax_divided.tables_by_rows", {"rows": 5500000}, "v5e", 0.9)),
    *rows("jax", "inference",
          ("vit_large_384", "jax_inference.vit_large_features", {"batch": 720}, "v4", 0.93),
          ("latent_diffusion_step", "jax_inference.latent_diffusion_step", {}, "v5e", 0.6),
          ("llama_prefill", "jax_inference.llama_prefill", {"batch": 10}, "v5e", 0.9)),
    *rows("tensorflow", "inference",
          ("mobilenet_serving", "tensorflow_programs.mobilenet_serving", {}, "v5e", 0.1),
          ("text_cnn_ranking", "tensorflow_programs.text_cnn_ranking", {}, "v3", 0.1)),
    *rows("torch", "inference",
          ("resnet101_serving", "torch_programs.resnet101_serving", {}, "v5e", 0.15),
          ("whisper_encoder", "torch_programs.whisper_encoder", {"batch": 96}, "v6e", 0.6),
          ("sentence_embeddings", "torch_programs.sentence_embeddings", {}, "v5e", 0.2)),
    *rows("jax", "training",
          ("cifar_cnn", "jax_training.cifar_cnn", {}, "v3", 0.15),
          ("vit_b16", "jax_training.vit_b16", {"batch": 160}, "v5e", 0.91),
          ("unet_masks", "jax_training.segmenter", {}, "v5e", 0.5),
          ("beta_vae", "jax_training.beta_vae", {}, "v5e", 0.03),
          ("dcgan", "jax_training.dcgan", {}, "v3", 0.1),
          ("ddpm", "jax_training.ddpm", {"batch": 640}, "v6e", 0.95),
          ("lora_llama", "jax_training.lora_llama", {"batch": 16}, "v5e", 0.91),
          ("moe_sorted", "jax_training.moe_top2", {"batch": 240}, "v5p", 0.95),
          ("t5_pretraining", "jax_training.t5_pretrain", {}, "v3", 0.56),
          ("clip", "jax_training.clip", {"batch": 4096}, "v7x", 0.95),
          ("conformer_ctc", "jax_training.conformer_ctc", {"batch": 56, "layers": 8}, "v5e", 0.9),
          ("graph_attention", "jax_training.graph_attention", {}, "v5e", 0.55),
          ("nerf", "jax_training.nerf", {"rays": 8192}, "v5e", 1.4)),
    *rows("tensorflow", "training",
          ("bert_questions", "tensorflow_programs.bert_classifier", {"batch": 56}, "v5e", 0.9),
          ("efficientnet", "tensorflow_programs.efficientnet", {}, "v5e", 0.33),
          ("pix2pix", "tensorflow_programs.pix2pix_unet", {}, "v5e", 0.15),
          ("seq2seq_lstm", "tensorflow_programs.seq2seq_lstm", {"batch": 1536}, "v5e", 2.4),
          ("wide_and_deep", "tensorflow_programs.wide_and_deep", {}, "v5e", 0.08)),
    *rows("torch", "training",
          ("gpt2_small", "torch_programs.gpt2_small", {"batch": 12}, "v4", 0.92),
          ("resnet50", "torch_programs.resnet50_training", {"batch": 512}, "v5e", 2.6),
          ("dlrm", "torch_programs.dlrm", {}, "v5e", 0.12),
          ("pointnet_parts", "torch_programs.pointnet_parts", {}, "v3", 0.25)),
]

# Ten that do not fit a v5e, for which a remedy is asked.
TOO_LARGE = [
    *rows("jax", "loop",
          ("large_decode", "jax_loops.gpt2_token_scanned", {"batch": 256, "donate": False}, "v5e", 3.1),
          ("large_scan_plain", "jax_loops.scanned_lm", {"batch": 32, "remat": False}, "v5e", 3)),
    *rows("jax", "divided", ("large_fsdp_on_2", "jax_divided.fsdp_scan_llama", {"batch": 8, "devices": 2}, "v5e", 1.4)),
    *rows("jax", "training",
          ("large_unet_one_hot", "jax_training.segmenter", {"batch": 96}, "v5e", 3),
          ("large_lora", "jax_training.lora_llama", {"batch": 64}, "v5e", 3),
          ("large_moe", "jax_training.moe_top2", {"batch": 128}, "v5e", 3),
          ("large_vit_1024", "jax_training.vit_b16", {"batch": 1024}, "v5e", 5.5)),
    *rows("torch", "training",
          ("large_gpt2", "torch_programs.gpt2_small", {"batch": 64}, "v5e", 9),
          ("large_resnet50", "torch_programs.resnet50_training", {"batch": 768}, "v5e", 4),
          ("large_dlrm", "torch_programs.dlrm", {"batch": 524288, "rows": 1000000}, "v5e", 2)),
]

# Written when the first were answered, of other kinds and before any answer to these.
SECOND = [
    *rows("jax", "loop",
          ("latent_attention_decode", "second_decoding.latent_attention_decode", {}, "v6e", 0.95),
          ("beam_search", "second_decoding.beam_search", {}, "v5e", 0.15),
          ("integer_cache_decode", "second_decoding.integer_cache_decode", {}, "v4", 0.95),
          ("rolling_window_decode", "second_decoding.rolling_window_decode", {}, "v3", 0.75),
          ("diffusion_sampler", "second_decoding.diffusion_sampler", {}, "v6e", 0.05),
          ("parallel_blocks_remat", "second_loops.parallel_blocks_remat", {}, "v5p", 0.94),
          ("mixer_scan_plain", "second_loops.mixer_scan_plain", {}, "v4", 0.95),
          ("speakers_accumulated", "second_loops.speakers_accumulated", {}, "v5e", 0.88),
          ("private_sgd_fori", "second_loops.private_sgd_fori", {}, "v3", 0.3),
          ("soft_actor_critic", "second_loops.soft_actor_critic", {}, "v5e", 0.42),
          ("rwkv", "second_loops.rwkv", {}, "v5e", 0.95)),
    *rows("jax", "divided",
          ("wide_net_by_hand_8", "second_divided.wide_net_by_hand", {}, "v3", 0.95),
          ("text_pairs_4", "second_divided.text_pairs", {}, "v6e", 0.95),
          ("schedule_free_fsdp_8", "second_divided.schedule_free_fsdp", {}, "v5p", 0.9),
          ("sequence_and_tensor_4", "second_divided.sequence_and_tensor", {}, "v6e", 0.93),
          ("giant_vit_2x2x2", "second_divided.giant_vit_mixed", {}, "v4", 0.92),
          ("experts_all_to_all_8", "second_divided.experts_all_to_all", {}, "v5e", 0.7),
          ("long_context_decode_4", "second_divided.long_context_decode", {}, "v7x", 0.92)),
    *rows("torch", "divided", ("spmd_alibi_4x2", "second_torch.spmd_alibi", {}, "v5e", 0.9)),
    *rows("jax", "inference",
          ("latents_to_pictures", "second_inference.latents_to_pictures", {}, "v5e", 0.95),
          ("segment_anything_encoder", "second_inference.segment_anything_encoder", {}, "v4", 0.9),
          ("integer_weights_scores", "second_inference.integer_weights_scores", {}, "v6e", 0.9),
          ("vocoder", "second_inference.vocoder", {}, "v3", 0.3)),
    *rows("tensorflow", "inference",
          ("street_scenes", "second_tensorflow.street_scenes", {}, "v3", 0.25),
          ("shared_layers_reranker", "second_tensorflow.shared_layers_reranker", {}, "v6e", 0.07)),
    *rows("torch", "inference",
          ("proteins", "second_torch.proteins", {}, "v7x", 0.93),
          ("detector", "second_torch.detector", {}, "v3", 0.2)),
    *rows("jax", "training",
          ("dense_net_xrays", "second_pictures.dense_net_xrays", {}, "v3", 0.98),
          ("video_net", "second_pictures.video_net", {}, "v5p", 0.95),
          ("super_resolution", "second_pictures.super_resolution", {}, "v6e", 0.9),
          ("wasserstein_critic", "second_pictures.wasserstein_critic", {}, "v4", 0.3),
          ("vector_quantized", "second_pictures.vector_quantized", {}, "v5e", 0.94),
          ("packed_masked_words", "second_words.packed_masked_words", {}, "v6e", 1),
          ("orthogonal_steps", "second_words.orthogonal_steps", {}, "v5p", 1.02),
          ("preferences", "second_words.preferences", {}, "v7x", 0.9),
          ("masked_pictures", "second_words.masked_pictures", {}, "v4", 1.05),
          ("two_towers", "second_science.two_towers", {}, "v5e", 0.9),
          ("forces_of_atoms", "second_science.forces_of_atoms", {}, "v5e", 0.5),
          ("fourier_operator", "second_science.fourier_operator", {}, "v6e", 0.5),
          ("burgers_by_points", "second_science.burgers_by_points", {}, "v3", 0.45)),
    *rows("tensorflow", "training",
          ("vgg_plain", "second_tensorflow.vgg_plain", {}, "v5e", 1.03),
          ("pets_by_separable", "second_tensorflow.pets_by_separable", {}, "v3", 0.46),
          ("next_thing", "second_tensorflow.next_thing", {}, "v5e", 0.65),
          ("crossed_features", "second_tensorflow.crossed_features", {}, "v4", 0.15)),
    *rows("torch", "training",
          ("translation", "second_torch.translation", {}, "v4", 1),
          ("checkpointed_llama", "second_torch.checkpointed_llama", {}, "v6e", 0.93),
          ("excited_groups", "second_torch.excited_groups", {}, "v5e", 0.6),
          ("feature_transformer", "second_torch.feature_transformer", {}, "v4", 0.93)),
]

# Written when the second were answered, of other kinds and before any answer to these; sizes were chosen by plans.
THIRD = [
    *rows("jax", "loop",
          ("normed_queries_decode", "third_loops.normed_queries_decode", {"batch": 640}, "v6e", 0.99),
          ("drafts_checked", "third_loops.drafts_checked", {"batch": 116}, "v5p", 0.97),
          ("captions_decode", "third_loops.captions_decode", {}, "v5e", 0.29),
          ("guided_sampler", "third_loops.guided_sampler", {}, "v7x", 0.01),
          ("scanned_vit", "third_loops.scanned_vit", {"batch": 1120}, "v4", 0.93),
          ("sandwich_lm", "third_loops.sandwich_lm", {"batch": 5}, "v3", 1),
          ("cells_accumulated", "third_loops.cells_accumulated", {}, "v5e", 0.07),
          ("lessons_accumulated", "third_loops.lessons_accumulated", {}, "v6e", 0.16),
          ("quantiles_replayed", "third_loops.quantiles_replayed", {}, "v3", 0.32),
          ("speech_by_steps", "third_loops.speech_by_steps", {"batch": 400}, "v4", 0.94)),
    *rows("tensorflow", "loop", ("many_steps", "third_tensorflow.many_steps", {}, "v5e", 0.22)),
    *rows("jax", "divided",
          ("vit_on_eight", "third_divided.vit_on_eight", {"batch": 6144}, "v6e", 0.32),
          ("tiny_images_by_hand_4", "third_divided.tiny_images_by_hand", {}, "v3", 0.2),
          ("fully_sharded_lm_8", "third_divided.fully_sharded_lm", {"batch": 144}, "v5e", 0.9),
          ("moments_divided_4", "third_divided.moments_divided", {}, "v5e", 0.7),
          ("columns_and_rows_4", "third_divided.columns_and_rows", {}, "v4", 0.39),
          ("data_and_columns_2x4", "third_divided.data_and_columns", {}, "v5p", 0.36),
          ("experts_by_masks_8", "third_divided.experts_by_masks", {}, "v6e", 0.05),
          ("long_prompts_2x4", "third_divided.long_prompts", {}, "v7x", 0.38)),
    *rows("jax", "inference",
          ("words_scored", "third_models.words_scored", {"batch": 100}, "v5e", 0.93),
          ("prompts_read", "third_models.prompts_read", {"batch": 12}, "v6e", 0.92),
          ("maps_of_pictures", "third_models.maps_of_pictures", {"batch": 1000}, "v4", 0.91),
          ("pictures_to_latents", "third_models.pictures_to_latents", {"batch": 128}, "v5p", 0.25)),
    *rows("tensorflow", "inference",
          ("names_tagged", "third_tensorflow.names_tagged", {}, "v3", 0.09),
          ("pictures_sorted", "third_tensorflow.pictures_sorted", {}, "v7x", 0.06)),
    *rows("torch", "inference",
          ("pictures_named", "third_torch.pictures_named", {}, "v5e", 0.29),
          ("roads_looked_at", "third_torch.roads_looked_at", {}, "v4", 0.28)),
    *rows("jax", "training",
          ("rows_of_a_table", "third_models.rows_of_a_table", {}, "v3", 0.96),
          ("stories", "third_models.stories", {}, "v5e", 0.95),
          ("two_views", "third_models.two_views", {"batch": 4000}, "v6e", 0.99),
          ("papers_cited", "third_models.papers_cited", {}, "v3", 0.48),
          ("songs_embedded", "third_models.songs_embedded", {"people": 5400000, "songs": 8400000}, "v5e", 1.06),
          ("distilled", "third_models.distilled", {}, "v5p", 0.35),
          ("organs", "third_models.organs", {"batch": 4}, "v4", 0.75),
          ("waves_seen", "third_models.waves_seen", {}, "v7x", 0.13)),
    *rows("tensorflow", "training",
          ("reviews_judged", "third_tensorflow.reviews_judged", {"batch": 1180}, "v5e", 1.02),
          ("leaves_told", "third_tensorflow.leaves_told", {}, "v3", 0.07),
          ("noise_taken", "third_tensorflow.noise_taken", {}, "v4", 0.05),
          ("clicks_by_factors", "third_tensorflow.clicks_by_factors", {}, "v6e", 0.18)),
    *rows("torch", "training",
          ("next_words", "third_torch.next_words", {"batch": 88}, "v6e", 0.95),
          ("adapters_tuned", "third_torch.adapters_tuned", {"batch": 600}, "v5e", 0.95),
          ("birds_told", "third_torch.birds_told", {}, "v7x", 0.07),
          ("roads_found", "third_torch.roads_found", {}, "v4", 0.42),
          ("load_forecast", "third_torch.load_forecast", {}, "v3", 3.28),
          ("offers_ranked", "third_torch.offers_ranked", {}, "v5p", 0.03)),
]

# Written when the third were answered, of JAX without a library of nets; sizes were chosen by plans.
FOURTH = [
    *rows("jax", "loop",
          ("states_by_chunks", "fourth.states_by_chunks", {}, "v5e", 1.02),
          ("poles_balanced", "fourth.poles_balanced", {"games": 16384}, "v3", 0.52),
          ("windows_decode", "fourth.windows_decode", {}, "v5p", 0.03),
          ("products_kept", "fourth.products_kept", {}, "v6e", 0.96)),
    *rows("jax", "divided",
          ("masked_words_8", "fourth.masked_words_8", {"batch": 384}, "v7x", 0.24),
          ("heads_divided_2x4", "fourth.heads_divided_2x4", {}, "v4", 0.92),
          ("nets_by_hand_4", "fourth.nets_by_hand_4", {}, "v5e", 0.09)),
    *rows("jax", "inference",
          ("answers_ranked", "fourth.answers_ranked", {}, "v3", 0.11),
          ("pictures_enlarged", "fourth.pictures_enlarged", {}, "v6e", 0.07),
          ("neighbours_found", "fourth.neighbours_found", {}, "v3", 1.05)),
    *rows("jax", "training",
          ("sentences_paired", "fourth.sentences_paired", {"batch": 720}, "v5e", 0.97),
          ("papers_sorted", "fourth.papers_sorted", {}, "v6e", 0.3),
          ("patches_mixed", "fourth.patches_mixed", {}, "v7x", 0.18),
          ("fields_outlined", "fourth.fields_outlined", {"batch": 128, "size": 288}, "v5e", 0.97)),
]

SETS = {"blind": PROGRAMS, "too_large": TOO_LARGE, "second": SECOND, "third": THIRD, "fourth": FOURTH}


def whole(source):
    module, name = source.split(".")
    return getattr(__import__(module), name)


def from_jax(program):
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    jax.config.update("jax_use_shardy_partitioner", True)  # which a program may turn off
    jax.config.update("jax_include_full_tracebacks_in_locations", False)
    step, arguments, donated = whole(program.source)(**program.sizes)
    traced = jax.jit(step, donate_argnums=donated).trace(*arguments)
    return traced.lower(lowering_platforms=("tpu",)).as_text(debug_info=True)


def from_tensorflow(program):
    step, arguments = whole(program.source)(**program.sizes)
    text = step.experimental_get_compiler_ir(*arguments)(stage="stablehlo")
    # Of its own sources it says where it read the function, which is the same line for all.
    return re.sub(r'loc\("[^"]*/framework/ops\.py":\d+:\d+\)', "loc(unknown)", text)


def donate(text, inputs):
    """Results take over arguments of their type, as when PyTorch/XLA runs, but for those of the types `inputs`."""
    head = re.search(r"func\.func @main\((.*?)\) -> (.*?) \{\n", text, re.S)
    arguments, results = head[1].split(", %"), re.findall(r"tensor<[^>]*>", head[2])
    free = list(enumerate(results))
    for n, argument in enumerate(arguments):
        kind = re.search(r"tensor<[^>]*>", argument)[0]
        taken = next((result for result in free if result[1] == kind and kind not in inputs), None)
        if taken:
            free.remove(taken)
            alias = "tf.aliasing_output = %d : i32}" % taken[0]
            arguments[n] = argument[:-1] + ", " + alias if argument.endswith("}") else argument + " {" + alias
    return text[:head.start(1)] + ", %".join(arguments) + text[head.end(1):]


def from_torch(program):
    os.environ.setdefault("PJRT_DEVICE", "CPU")
    if program.kind == "divided":
        os.environ["CPU_NUM_DEVICES"] = "8"
    import torch
    import torch_xla
    import torch_xla.core.xla_model as xm
    from torch_xla.stablehlo import exported_program_to_stablehlo
    net, make_optimizer, loss, batch, data = whole(program.source)(**program.sizes)

    def zeros(n):
        return tuple(torch.zeros((n, *shape), dtype=dtype) for shape, dtype in data)

    half = any(weight.dtype == torch.bfloat16 for weight in net.parameters())
    if make_optimizer is None and not half:  # of which export writes no weights
        return exported_program_to_stablehlo(torch.export.export(net, zeros(batch))).get_stablehlo_text()
    device = torch_xla.device()
    net = net.to(device)
    if program.kind == "divided":
        net.divide()
    if make_optimizer is None:
        with torch.no_grad():
            found = net(*(x.to(device) for x in zeros(batch)))
            return xm.get_stablehlo(list(found) if isinstance(found, tuple) else [found])
    optimizer = make_optimizer(net.parameters())

    def step(rows):
        value = loss(net, *(x.to(device) for x in zeros(rows)))
        value.backward()
        optimizer.step()
        optimizer.zero_grad()
        return value

    for weight in net.parameters():
        weight.grad = torch.zeros_like(weight)
    optimizer.step()
    optimizer.zero_grad()
    torch_xla.sync()
    value = step(batch)
    slots = [x for slots in optimizer.state.values() for x in slots.values()]
    state = [x for x in slots if torch.is_tensor(x) and x.device == device]
    text = xm.get_stablehlo([value, *net.parameters(), *(b for b in net.buffers() if b.is_floating_point()), *state])
    letters = {torch.float32: "f32", torch.long: "i64"}
    if program.kind == "divided":  # the compiler is told of devices beside the module
        parts = "mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32, "
        text = text.replace("attributes {", "attributes {" + parts, 1)
    inputs = ("x".join([*map(str, (batch, *shape)), letters[dtype]]) for shape, dtype in data)
    return donate(text, {"tensor<%s>" % kind for kind in inputs})


def make(folder, names):
    os.makedirs(folder, exist_ok=True)
    for which, program in everything():
        if names and program.name not in names and which not in names:
            continue
        if program.framework == "torch" and program.kind == "divided" and names != (program.name,):
            # Torch's devices are for a whole process.
            subprocess.run([sys.executable, __file__, "make", folder, program.name], check=True)
            continue
        try:
            text = {"jax": from_jax, "tensorflow": from_tensorflow, "torch": from_torch}[program.framework](program)
        except ImportError as error:
            print("%s: %s" % (program.name, error), file=sys.stderr)
            continue
        text = re.sub(r'"[^"\n]*/([^"/\n]*\.py)"', r'"\1"', text)  # where they lie on this machine is nobody's business
        text = re.sub(r'dense<"0x[0-9A-F]{4096,}">', "dense<0>", text)
        text = re.sub(r"dense<0>( : tensor<[0-9x]+b?f\d+>)", r"dense<0.0>\1", text)
        with open(os.path.join(folder, program.name + ".mlir"), "w") as file:
            file.write(text)
        print("%s: %d bytes" % (program.name, len(text)), flush=True)


def everything():
    return [(which, program) for which, programs in SETS.items() for program in programs]


def add(archive, name, text):
    entry = tarfile.TarInfo(name)
    entry.size = len(text)
    archive.addfile(entry, io.BytesIO(text))


def pack(folder, path, *sets):
    with tarfile.open(path, "w:xz", preset=9 | lzma.PRESET_EXTREME) as archive:
        listed = []
        for which, program in everything():
            if which not in (sets or ("blind", "too_large")):
                continue
            path = os.path.join(folder, program.name + ".mlir")
            if not os.path.exists(path):
                print("%s is not made" % program.name, file=sys.stderr)
                continue
            listed.append(",".join([which, program.name, program.framework, program.kind, program.chip,
                                    str(program.share)]) + "\n")
            with open(path, "rb") as file:
                add(archive, program.name + ".mlir", file.read())
        add(archive, "list.csv", "".join(listed).encode())


def main(command, *words):
    if command == "make":
        make(words[0], words[1:])
    elif command == "pack":
        pack(*words)
    else:
        for which, p in everything():
            print(which, p.name, p.framework, p.kind, p.source, p.chip, p.share)


if __name__ == "__main__":
    main(*sys.argv[1:])
