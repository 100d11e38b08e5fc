"""Asks the module of Python what the StableHLO of a file takes, and checks the answers. Its argument is the file."""
import sys

import moonpod

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()


class Lowered:  # as jax.jit(f).lower(...) gives
    def as_text(self, dialect, debug_info=False):
        assert (dialect, debug_info) == ("stablehlo", True)
        return text


class Traced:  # as jax.jit(f).trace(...) gives
    def lower(self, lowering_platforms):
        assert lowering_platforms == ("tpu",)
        return Lowered()


class Exported:  # as torch_xla.stablehlo gives
    def get_stablehlo_text(self):
        return text


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
assert advice.html().startswith("<!DOCTYPE html>") and "srcdoc" in advice._repr_html_()
for other in Lowered(), Traced(), Exported(), text.encode():
    assert moonpod.advise(other, "v5e").figures == advice.figures
assert moonpod.advise(text, "v3", donate=True).need_bytes <= moonpod.advise(text, "v3").need_bytes
fails(moonpod.MoonpodError, "program:1:", lambda: moonpod.advise("module {"))
fails(moonpod.MoonpodError, "no TPU generation", lambda: moonpod.advise(text, "h100"))
fails(TypeError, "not int", lambda: moonpod.advise(3))
fails(AttributeError, "need_bytes", lambda: advice.nothing)
assert "It needs 17.91G of 15.75G" in moonpod.explain("E1000: CompileTimeHbmOom: Ran out of memory on HBM, the total "
                                                      "memory required for HLO temporaries (17.91G) exceeds available "
                                                      "HBM (15.75G). HLO module: big.")
print("the door for Python is open")
