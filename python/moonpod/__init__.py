"""Moonpod for people who write Python: what a program of JAX, TensorFlow or PyTorch/XLA takes of a TPU.

    import jax, moonpod
    advice = moonpod.advise(jax.jit(step, donate_argnums=0).trace(state, batch), chip="v5e")
    print(advice)                # the report; a notebook shows the page
    assert advice.fits, advice.verdict_text

No TPU is needed. The commands `moonpod` (scripts and sessions of Lua, `moonpod advise`, `moonpod explain`) and
`moonpod-kernel` (Jupyter) come along.
"""

import json
import os
import subprocess
import sys
import tempfile

__all__ = ["advise", "explain", "Advice", "MoonpodError"]
__version__ = "@VERSION@"

_BIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")


class MoonpodError(Exception):
    """What the command says where it fails: the file is no StableHLO, a chip that is not known, ..."""


def _run(*words, text=None):
    done = subprocess.run([os.path.join(_BIN, "moonpod"), *words], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    if done.returncode not in (0, 2, 3):
        message = done.stderr.strip() or "ended with code %d" % done.returncode
        raise MoonpodError(message.replace("moonpod advise: ", ""))
    return done.stdout


def _text_of(program):
    """The StableHLO text of what frameworks have: a text, or an object that gives one."""
    if isinstance(program, str):
        return program
    if isinstance(program, bytes):
        return program.decode()
    if hasattr(program, "lower") and not hasattr(program, "as_text"):  # jax.jit(f).trace(...): as a TPU would get it
        program = program.lower(lowering_platforms=("tpu",))
    if hasattr(program, "as_text"):  # jax.jit(f).lower(...)
        try:
            return program.as_text(dialect="stablehlo", debug_info=True)
        except TypeError:  # a JAX that has no debug_info
            return program.as_text(dialect="stablehlo")
    if hasattr(program, "get_stablehlo_text"):  # torch_xla.stablehlo
        return program.get_stablehlo_text()
    raise TypeError("advise: a StableHLO text, jax.jit(f).trace(...) or .lower(...), or what "
                    "torch_xla.stablehlo gives, is needed, not %s" % type(program).__name__)


class Advice:
    """What a program takes of a chip. It prints as a report, and has the figures of `moonpod advise --json`:
    verdict ("fits", "does_not_fit", "cannot_say"), need_bytes, limit_bytes, argument_bytes, output_bytes, alias_bytes,
    temp_bytes, margin, buffers, findings, notes, ..."""

    def __init__(self, text, options):
        self._text, self._options = text, options
        self.figures = json.loads(self._ask("--json"))

    def _ask(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self._text)
            words = [word.replace("FOLDER", folder) for word in words]
            try:
                said = _run("advise", path, *self._options, *words).replace(path, "program")
            except MoonpodError as error:
                raise MoonpodError(str(error).replace(path, "program")) from None
            page = os.path.join(folder, "page.html")
            if os.path.exists(page):
                with open(page, encoding="utf-8") as file:
                    return file.read().replace(path, "program")
            return said

    def __getattr__(self, name):
        try:
            return self.__dict__["figures"][name]
        except KeyError:
            raise AttributeError("an advice has no %r; it has %s" % (
                name, ", ".join(sorted(self.__dict__.get("figures", {}))))) from None

    @property
    def fits(self):
        """Whether the program fits for sure."""
        return self.figures["verdict"] == "fits"

    def __str__(self):
        return self.figures["report"]

    def __repr__(self):
        return "<moonpod.Advice: %s>" % self.figures["verdict_text"]

    def html(self):
        """The memory viewer as a page of HTML, with all in it."""
        return self._ask("--html", "FOLDER/page.html")

    def _repr_html_(self):
        page = self.html().replace("&", "&amp;").replace('"', "&quot;")
        return '<iframe srcdoc="%s" width="100%%" height="720" frameborder="0"></iframe>' % page


def advise(program, chip="v3", cores=None, donate=False, exact=False):
    """What a program takes of a TPU: an Advice.

    program: what jax.jit(f, donate_argnums=...).trace(*args) gives (or .lower(*args), which is of the CPU's kernels), a
    text of StableHLO (of a tf.function: experimental_get_compiler_ir(*args)(stage="stablehlo")), or what
    torch_xla.stablehlo gives. chip: a generation or a slice ("v5e", "v3-8"). cores: of how many cores the batch is.
    donate: results take over arguments of their type, as PyTorch/XLA does. exact: asks the libtpu that is installed
    (pip install libtpu), or that of a path: its totals and its verdict.
    """
    words = ["--chip", chip]
    if cores is not None:
        words += ["--cores", str(cores)]
    if donate:
        words.append("--donate")
    if exact is True:
        exact = _libtpu()
    if exact:
        words += ["--compiler", os.fspath(exact)]
    return Advice(_text_of(program), words)


def _libtpu():
    try:
        import libtpu
    except ImportError:
        raise MoonpodError("exact needs the compiler of TPUs: pip install libtpu") from None
    return os.path.join(os.path.dirname(libtpu.__file__), "libtpu.so")


def explain(text):
    """What the messages in a text mean, of TensorFlow, XLA, JAX and PyTorch/XLA, and what to do."""
    return _run("explain", "-", text=text).rstrip("\n")


def _become(name):
    path = os.path.join(_BIN, name)
    os.execv(path, [path, *sys.argv[1:]])


def _main():
    _become("moonpod")


def _kernel():
    _become("moonpod-kernel")
