"""The checkout of `examples/`, whose files import one another by their plain names."""

import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "checkout"
sys.path.append(str(EXAMPLE))  # last, so that it hides no other module
