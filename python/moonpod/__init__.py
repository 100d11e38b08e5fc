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


def _run(*words, text=None, folder=None):
    done = subprocess.run([os.path.join(_BIN, "moonpod"), *words], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8", errors="replace", cwd=folder)
    if done.returncode not in (0, 2, 3):
        message = done.stderr.strip() or "ended with code %d" % done.returncode
        raise MoonpodError(message.replace("moonpod advise: ", ""))
    return done.stdout


_FORMS = """advise: StableHLO is needed, not %s; any of these serves:
  a file's path, or its text
  JAX: jax.jit(step).trace(*args), .lower(*args), jax.export.export(...)(*args)
  TensorFlow: step.experimental_get_compiler_ir(*args)(stage="stablehlo") of a tf.function with jit_compile=True
  PyTorch: torch_xla.stablehlo.exported_program_to_stablehlo(torch.export.export(model, args))"""


def _read(program):
    """The StableHLO text of what frameworks have (a text, its file, or an object that gives one), and its name."""
    name = "program"
    if isinstance(program, os.PathLike) or isinstance(program, str) and program and not set("\n{") & set(program):
        name = os.path.basename(program)
        with open(program, "rb") as file:
            program = file.read()
    if isinstance(program, bytes):
        try:
            program = program.decode()
        except UnicodeDecodeError:
            raise MoonpodError("%s: StableHLO as text is needed, not as bytecode" % name) from None
    if isinstance(program, str):
        return program, name
    if hasattr(program, "lower") and not hasattr(program, "trace"):  # jax.jit(f).trace(...): as a TPU would get it
        program = program.lower(lowering_platforms=("tpu",))
    if hasattr(program, "as_text") and not callable(program):  # jax.jit(f).lower(...), but nothing that is compiled
        try:
            return program.as_text(dialect="stablehlo", debug_info=True), name
        except TypeError:  # a JAX that has no debug_info
            return program.as_text(dialect="stablehlo"), name
    for method in "mlir_module", "get_stablehlo_text":  # jax.export, torch_xla.stablehlo
        if hasattr(program, method):
            return getattr(program, method)(), name
    raise TypeError(_FORMS % type(program).__name__)


class Advice:
    """What a program takes of a chip. It prints as a report, and has the figures of `moonpod advise --json`:
    verdict ("fits", "does_not_fit", "cannot_say"), need_bytes, limit_bytes, argument_bytes, output_bytes, alias_bytes,
    temp_bytes, margin, buffers (the largest first), remedies, findings, notes, ..."""

    def __init__(self, text, name, options, exact):
        self._text, self._name, self._options = text, name, options
        said, self._page = self._ask(*(["--compiler", exact] if exact else []), "--json", "--html", writes="page.html")
        self.figures = json.loads(said)

    def _ask(self, *words, writes):
        """What the command prints, and writes to a file, whose name is the last word: in a folder of its own, so that
        messages have no path."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, self._name), "w", encoding="utf-8") as file:
                file.write(self._text)
            said = _run("advise", self._name, *self._options, *words, writes, folder=folder)
            with open(os.path.join(folder, writes), encoding="utf-8") as file:
                return said, file.read()

    def __getattr__(self, name):
        try:
            return self.__dict__["figures"][name]
        except KeyError:
            raise AttributeError("an advice has no %r; it has %s" % (
                name, ", ".join(sorted(self.__dict__.get("figures", {}))))) from None

    def __dir__(self):
        return [*super().__dir__(), *self.figures]

    @property
    def fits(self):
        """Whether the program fits for sure."""
        return self.figures["verdict"] == "fits"

    def __str__(self):
        return self.figures["report"]

    def __repr__(self):
        return "<moonpod.Advice: %s>" % self.figures["verdict_text"]

    def remedy_program(self):
        """The program of the first remedy as StableHLO, which advise reads: with exact=True the compiler judges it."""
        return self._ask("--remedy", writes="remedy.mlir")[1]

    def html(self):
        """The memory viewer as a page of HTML, with all in it."""
        return self._page

    def _repr_html_(self):
        page = self._page.replace("&", "&amp;").replace('"', "&quot;")
        return '<iframe srcdoc="%s" width="100%%" height="720" frameborder="0"></iframe>' % page


def advise(program, chip="v3", cores=None, donate=False, exact=False, batch=None):
    """What a program takes of a TPU: an Advice.

    program: what jax.jit(f, donate_argnums=...).trace(*args) gives (or .lower(*args), which is of the CPU's kernels, or
    jax.export), StableHLO as a text or in a file (of a tf.function: experimental_get_compiler_ir(*args)(
    stage="stablehlo")), or what torch_xla.stablehlo gives. chip: a generation or a slice ("v5e", "v3-8"). cores: of how
    many cores the batch is. donate: results take over arguments of their type, as PyTorch/XLA does. exact: asks the
    libtpu that is installed (pip install libtpu), or that of a path: its totals and its verdict. batch: the batch's
    size, where the remedies change another axis.
    """
    if chip == "all":
        raise MoonpodError("advise says what a program takes of one chip: name it in the place of all")
    words = ["--chip", str(chip)]
    for option, value in ("--cores", cores), ("--batch", batch):
        if value is not None:
            words += [option, str(value)]
    if donate:
        words.append("--donate")
    if exact is True:
        exact = _libtpu()
    return Advice(*_read(program), words, os.path.abspath(exact) if exact else None)


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
