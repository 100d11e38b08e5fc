"""converted.py --kernel EXECUTABLE NOTEBOOK...: nbconvert runs each with the kernel, and the outputs are its own."""
import json
import os
import subprocess
import sys
import tempfile

import nbformat


def joined(outputs):
    """A kernel may send a stream in several pieces, which front ends join."""
    whole = []
    for output in outputs:
        last = whole[-1] if whole else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            last["text"] += output.text
        else:
            whole.append(dict(output))
    return whole


def outputs_of(path):
    notebook = nbformat.read(path, as_version=4)
    return [joined(cell.outputs) for cell in notebook.cells if cell.cell_type == "code"]


def main(kernel, paths):
    with tempfile.TemporaryDirectory() as folder:
        spec = os.path.join(folder, "kernels", "moonpod")
        os.makedirs(spec)
        with open(os.path.join(spec, "kernel.json"), "w", encoding="utf-8") as file:
            json.dump({"argv": [kernel, "{connection_file}"], "display_name": "Lua (Moonpod)", "language": "lua"}, file)
        environment = dict(os.environ, JUPYTER_PATH=folder, JUPYTER_PLATFORM_DIRS="1",
                           MOONPOD_ISA="avx2", HOME=folder)
        for path in paths:
            made = os.path.join(folder, os.path.basename(path))
            subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--log-level", "WARN",
                            "--ExecutePreprocessor.kernel_name=moonpod", "--output", made, path],
                           check=True, env=environment)
            for place, (ours, theirs) in enumerate(zip(outputs_of(path), outputs_of(made)), 1):
                if ours != theirs:
                    sys.exit(f"{path}: code cell {place}: {ours!r:.2000}\nis by the kernel\n{theirs!r:.2000}")
    print(f"{len(paths)} notebooks give the same")


main(sys.argv[2], sys.argv[3:])
