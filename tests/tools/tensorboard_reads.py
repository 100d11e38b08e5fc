"""What TensorBoard's own readers see in a folder of event files.

    python tests/tools/tensorboard_reads.py FOLDER

Prints a line a thing, for tests/lua/summary_spec.lua and others:

    tensors RUN TAG PLUGIN STEP...               of the event accumulator, which knows tags by their plugins
    scalar RUN TAG STEP VALUE                    of the data provider, as all below; values are hexadecimal floats
    histogram RUN TAG STEP BUCKETS SUM LEFT RIGHT
    images RUN TAG STEP COUNT HEIGHTxWIDTHxCHANNELS...
    text RUN TAG STEP TEXT...
    graph RUN NODE OP INPUT,... SHAPE            of the page for graphs, of what the run has
    keras RUN TAG NODE CLASS INPUT,...           of the same page, of the model in Keras' JSON
    hparams RUN NAME=VALUE... metrics TAG... status STATUS

Beside the event files there may be what was written: FOLDER/<name>.npy of the tag <name> of histograms and pictures
(slashes are dots). Then buckets are compared with those that TensorBoard makes of the same numbers, and decoded
pictures with the pixels; what differs is printed as a line that begins with "differs".
"""
import io
import os
import sys
import types

# Where TensorFlow is installed, too: TensorBoard does without it if there is this module.
sys.modules["tensorboard.compat.notf"] = types.ModuleType("tensorboard.compat.notf")

import numpy as np
from PIL import Image
from tensorboard import context
from tensorboard.backend.event_processing import data_provider
from tensorboard.backend.event_processing import plugin_event_multiplexer
from tensorboard.compat.proto import graph_pb2
from tensorboard.plugins import base_plugin
from tensorboard.plugins.graph import graphs_plugin
from tensorboard.plugins.histogram import summary_v2 as histograms
from tensorboard.plugins.hparams import metadata as hparams
from tensorboard.util import tensor_util

FOLDER = sys.argv[1]
EVERYTHING = 10_000_000


def original(tag):
    path = os.path.join(FOLDER, tag.replace("/", ".") + ".npy")
    return np.load(path) if os.path.exists(path) else None


def check_histogram(run, tag, found):
    data = original(tag)
    if data is None:
        return
    finite = data.astype(np.float64)
    finite = finite[np.isfinite(finite)]
    wanted = tensor_util.make_ndarray(histograms.histogram_pb(tag, finite, len(found)).value[0].tensor)
    if not np.array_equal(found, wanted):
        print("differs", run, tag, found.tolist(), wanted.tolist())


def pixels_of(encoded):
    image = Image.open(io.BytesIO(encoded))
    image.load()
    array = np.asarray(image)
    return array[..., None] if array.ndim == 2 else array


def check_images(run, tag, found):
    data = original(tag)
    if data is None:
        return
    if data.dtype != np.uint8:
        data = np.clip(np.nan_to_num(data.astype(np.float32), nan=0) * np.float32(255.5), 0, 255).astype(np.uint8)
    for i, image in enumerate(found):
        if not np.array_equal(image, data[i]):
            print("differs", run, tag, i, image.tolist(), data[i].tolist())


multiplexer = plugin_event_multiplexer.EventMultiplexer(
    size_guidance={}, tensor_size_guidance={name: 0 for name in ("scalars", "histograms", "images", "text", "hparams")})
multiplexer.AddRunsFromDirectory(FOLDER)
multiplexer.Reload()
provider = data_provider.MultiplexerDataProvider(multiplexer, FOLDER)
ctx = context.RequestContext()


def read(lister, reader, plugin):
    for run, tags in sorted(lister(ctx, experiment_id="", plugin_name=plugin).items()):
        for tag in sorted(tags):
            series = reader(ctx, experiment_id="", plugin_name=plugin, downsample=EVERYTHING,
                            run_tag_filter=data_provider.provider.RunTagFilter(runs=[run], tags=[tag]))
            yield run, tag, series[run][tag]


for run in sorted(multiplexer.Runs()):
    accumulator = multiplexer.GetAccumulator(run)
    for tag in sorted(accumulator.Tags()["tensors"]):
        plugin = accumulator.SummaryMetadata(tag).plugin_data.plugin_name
        print("tensors", run, tag, plugin, *[event.step for event in accumulator.Tensors(tag)])
for run, tag, series in read(provider.list_scalars, provider.read_scalars, "scalars"):
    for point in series:
        print("scalar", run, tag, point.step, float(point.value).hex())
for run, tag, series in read(provider.list_tensors, provider.read_tensors, "histograms"):
    for point in series:
        found = point.numpy
        check_histogram(run, tag, found)
        print("histogram", run, tag, point.step, len(found), int(found[:, 2].sum()),
              *([found[0, 0].hex(), found[-1, 1].hex()] if len(found) else []))
for run, tag, series in read(provider.list_tensors, provider.read_tensors, "text"):
    for point in series:
        print("text", run, tag, point.step, *[text.decode() for text in point.numpy.reshape(-1)])
for run, tag, series in read(provider.list_blob_sequences, provider.read_blob_sequences, "images"):
    for point in series:
        found = [pixels_of(provider.read_blob(ctx, blob_key=blob.blob_key)) for blob in point.values[2:]]
        check_images(run, tag, found)
        print("images", run, tag, point.step, len(found), *["x".join(map(str, image.shape)) for image in found])

graphs = graphs_plugin.GraphsPlugin(base_plugin.TBContext(data_provider=provider, logdir=FOLDER))


def each_node(run, tag, is_conceptual):
    from google.protobuf import text_format
    text, _ = graphs.graph_impl(ctx, run, tag, is_conceptual, experiment="")
    return text_format.Parse(text, graph_pb2.GraphDef()).node


for run, tags in sorted(graphs.info_impl(ctx, experiment="").items()):
    if tags["run_graph"]:
        for node in each_node(run, None, False):
            shapes = node.attr["_output_shapes"].list.shape
            print("graph", run, node.name, node.op, ",".join(node.input),
                  "x".join(str(dim.size) for dim in shapes[0].dim) if shapes else "")
    for tag, info in sorted(tags["tags"].items()):
        if info["conceptual_graph"]:
            for node in each_node(run, tag, True):
                print("keras", run, tag, node.name, node.attr["keras_class"].s.decode(), ",".join(node.input))

for run in sorted(multiplexer.Runs()):
    contents = multiplexer.GetAccumulator(run).PluginTagToContent("hparams") if any(
        tag.startswith("_hparams_/") for tag in multiplexer.GetAccumulator(run).Tags()["tensors"]) else {}
    if contents:
        start = hparams.parse_session_start_info_plugin_data(contents[hparams.SESSION_START_INFO_TAG])
        experiment = hparams.parse_experiment_plugin_data(contents[hparams.EXPERIMENT_TAG])
        end = contents.get(hparams.SESSION_END_INFO_TAG)
        values = []
        for name, value in sorted(start.hparams.items()):
            values.append("%s=%s" % (name, getattr(value, value.WhichOneof("kind"))))
        print("hparams", run, *values, "metrics", *[info.name.tag for info in experiment.metric_infos],
              "status", hparams.parse_session_end_info_plugin_data(end).status if end else "none")
