"""The cases of ../input.lua with PyTorch's DataLoader: `input_torch.py NAME SECONDS PICTURES` prints one JSON line: the
faster of no worker process and two."""

import json
import sys
import time

import torch
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler

from common import read

BATCH = 1024
name, seconds = sys.argv[1], float(sys.argv[2])


class Images(Dataset):
    """Rows, by one index or by those of a whole batch."""

    def __init__(self):
        self.x = torch.tensor(read("train-images-idx3-ubyte.gz", 16)).reshape(60000, 784)
        self.y = torch.tensor(read("train-labels-idx1-ubyte.gz", 8))

    def __len__(self):
        return len(self.y)

    def __getitem__(self, index):
        return self.x[index].float() / 255, self.y[index].int()


def loader(images, workers):
    if name == "memory":
        sampler = BatchSampler(RandomSampler(images), BATCH, drop_last=True)
        return DataLoader(images, sampler=sampler, batch_size=None, num_workers=workers,
                          persistent_workers=workers > 0)
    return DataLoader(images, BATCH, shuffle=True, drop_last=True, num_workers=workers, persistent_workers=workers > 0)


def rate(batches):
    """Elements a second over whole passes, after a first one."""
    elements = elapsed = 0
    for _ in batches:
        pass
    while elapsed < seconds:
        began = time.perf_counter()
        elements += sum(BATCH for _ in batches)
        elapsed += time.perf_counter() - began
    return elements / elapsed


torch.set_num_threads(2)
images = Images()
result = max(rate(loader(images, workers)) for workers in (0, 2))
print(json.dumps({"peer": "torch " + torch.__version__, "case": name, "elements_per_s": round(result)}))
