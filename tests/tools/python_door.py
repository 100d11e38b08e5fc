"""Asks the module of Python what the StableHLO of a file takes, and checks the answers. Its argument is the file."""
import html.parser
import pathlib
import sys

import moonpod

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
path_name = pathlib.Path(sys.argv[1]).name


class Lowered:  # as jax.jit(f).lower(...) gives
    def as_text(self, dialect, debug_info=False):
        assert (dialect, debug_info) == ("stablehlo", True)
        return text


class Traced:  # as jax.jit(f).trace(...) gives
    def lower(self, lowering_platforms):
        assert lowering_platforms == ("tpu",)
        return Lowered()

    def __call__(self):
        raise AssertionError("it is not to be run")


class Exported:  # as torch_xla.stablehlo gives
    def get_stablehlo_text(self):
        return text


class JaxExported:  # as jax.export.export(...)(...) gives
    def mlir_module(self):
        return text


class Jitted:  # as jax.jit(f) gives
    def __call__(self):
        raise AssertionError("it is not to be run")

    lower = trace = __call__


class Compiled:  # as jax.jit(f).lower(...).compile() gives
    def __call__(self):
        raise AssertionError("it is not to be run")

    def as_text(self):
        return "HloModule jit_step"


def fails(kind, words, function):
    try:
        function()
    except kind as error:
        assert words in str(error), str(error)
        return
    raise AssertionError("it does not fail: " + words)


advice = moonpod.advise(text, chip="v5e")
assert advice.fits and advice.verdict == "fits" and advice.chip == "v5e"
assert 0 < advice.need_bytes < advice.limit_bytes
assert str(advice).startswith("program: module ") and advice.verdict_text in repr(advice)
assert advice.buffers[0]["padded_bytes"] >= advice.buffers[0]["unpadded_bytes"]
shown = []
reader = html.parser.HTMLParser()
reader.handle_starttag = lambda tag, attributes: shown.append((tag, dict(attributes).get("srcdoc")))
reader.feed(advice._repr_html_())
assert advice.html().startswith("<!DOCTYPE html>") and shown == [("iframe", advice.html())]
for other in Lowered(), Traced(), Exported(), JaxExported(), text.encode():
    assert moonpod.advise(other, "v5e").figures == advice.figures
for path in sys.argv[1], pathlib.Path(sys.argv[1]):
    of_file = moonpod.advise(path, "v5e")
    assert of_file.need_bytes == advice.need_bytes and str(of_file).startswith(path_name + ": module ")
sizes = [buffer["padded_bytes"] for buffer in advice.buffers]
assert sizes == sorted(sizes, reverse=True) and "need_bytes" in dir(advice)
large = moonpod.advise("""module {
  func.func @main(%x: tensor<4194304x1024xf32>) -> tensor<4194304x1024xf32> {
    %y = stablehlo.tanh %x : tensor<4194304x1024xf32>
    return %y : tensor<4194304x1024xf32>
  }
}""", "v5e")
assert large.verdict == "does_not_fit" and not large.fits and large.remedies[0]["verdict"] == "fits"
assert moonpod.advise(large.remedy_program(), "v5e").need_bytes == large.remedies[0]["need_bytes"]
assert moonpod.advise(text, "v3", donate=True).need_bytes <= moonpod.advise(text, "v3").need_bytes
run, runs = moonpod._run, []
moonpod._run = lambda *words, **options: runs.append(words) or run(*words, **options)
again = moonpod.advise(text, "v5e")
assert again.html() and again._repr_html_() and len(runs) == 1  # a compiler would be asked once
moonpod._run = run
fails(moonpod.MoonpodError, "program:1:", lambda: moonpod.advise("module {"))
fails(moonpod.MoonpodError, "no TPU generation", lambda: moonpod.advise(text, "h100"))
fails(moonpod.MoonpodError, "one chip", lambda: moonpod.advise(text, "all"))
fails(moonpod.MoonpodError, "no TPU generation", lambda: moonpod.advise(text, 5))
fails(moonpod.MoonpodError, "batch must be", lambda: moonpod.advise(text, batch="many"))
fails(moonpod.MoonpodError, "program: StableHLO as text", lambda: moonpod.advise(b"ML\xefR\x0d"))
fails(OSError, "nowhere.mlir", lambda: moonpod.advise("nowhere.mlir"))
fails(TypeError, "not int", lambda: moonpod.advise(3))
fails(TypeError, "not Jitted", lambda: moonpod.advise(Jitted()))
fails(TypeError, "not Compiled", lambda: moonpod.advise(Compiled()))
fails(AttributeError, "need_bytes", lambda: advice.nothing)
assert "It needs 17.91G of 15.75G" in moonpod.explain("E1000: CompileTimeHbmOom: Ran out of memory on HBM, the total "
                                                      "memory required for HLO temporaries (17.91G) exceeds available "
                                                      "HBM (15.75G). HLO module: big.")
print("the door for Python is open")
