"""HDF5 of h5py, in the formats of all its versions.

    python tests/golden/hdf5_files.py write DIRECTORY   makes tests/golden/hdf5_files
    python tests/golden/hdf5_files.py read FILE         checks what Moonpod wrote: tests/lua/hdf5_spec.lua
"""
import sys

import h5py
import numpy as np

VERSIONS = ("earliest", "latest")
DTYPES = ["float64", "float32", "float16", "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
          "uint64"]
VALUES = [[0, 1, 1], [1, 0, 1]]


def write(directory):
    for name in VERSIONS:
        with h5py.File("%s/%s.h5" % (directory, name), "w", libver=name) as file:
            for i in range(12):  # more members than a group keeps in its own header, and than a leaf has
                file["many/layer_%d/0" % i] = np.float32(i + 0.5)
            for dtype in DTYPES:
                file["types/" + dtype] = np.array(VALUES, dtype)
            file["types/high_byte_first"] = np.array([1.5, -2], ">f4")
            file["types/empty"] = np.zeros((0, 3), "float32")
            file.attrs["kind"] = "all"
            file["many"].attrs["text"] = "hé"
            file["many"].attrs["bytes"] = np.bytes_("abc")
            file["many"].attrs["numbers"] = [1, 2]
    with h5py.File(directory + "/chunks.h5", "w") as file:
        file.create_dataset("packed/x", data=np.zeros(100, "float32"), compression="gzip")
    with h5py.File(directory + "/soft.h5", "w") as file:
        file["a/x"] = np.float32(1)
        file["a/loop"] = h5py.SoftLink("/a")
    with h5py.File(directory + "/external.h5", "w") as file:
        file["a/other"] = h5py.ExternalLink("/etc/passwd", "/x")
    with h5py.File(directory + "/hard.h5", "w") as file:
        file["a/x"] = np.zeros(400, "float32")
        file["a/b/loop"] = file["a"]


def demand(holds, what):
    if not holds:
        sys.exit("not as written: " + what)


def read(path):
    with h5py.File(path) as file:
        for i in range(300):
            demand(file["layers/d%d/vars/0" % i][...].tolist() == [i + 0.5] * 3, "layer %d" % i)
            demand(file["layers/d%d/vars" % i].attrs["name"] == "layer é%d" % i, "text of layer %d" % i)
        for dtype in DTYPES:
            found = file["types/" + dtype]
            demand(found.dtype == dtype and (found[...] == np.array(VALUES, dtype)).all(), dtype)
        brain = file["types/bfloat16"]
        demand(brain.dtype == "V2" and (brain[...].view(np.uint16) == np.array(VALUES) * 0x3f80).all(), "bfloat16")
        demand(file["scalar"][()] == 3 and file["empty"].shape == (0, 3), "shapes")
        demand(dict(file.attrs) == {"root": "r"}, "texts of the root")
        demand(file["group/of/a/text"].attrs["long"] == "z" * 10000, "a long text")
        demand(file["group/of/a/text"].attrs["none"] == "", "an empty text")
        demand(len(list(file["group/of/a/text"])) == 0, "an empty group")
    with h5py.File(path, "a") as file:  # the library goes on with the structures
        for i in range(40):
            file["layers/more%d" % i] = i
        file["types/more"] = 1
    with h5py.File(path) as file:
        demand(len(file["layers"]) == 340 and file["layers/d7/vars/0"][0] == 7.5, "appended")
    print("all as written")


if __name__ == "__main__":
    {"write": write, "read": read}[sys.argv[1]](sys.argv[2])
