"""`python -m supervisor` is `supervisor`.

Python puts the working directory first of all places to import from, and whoever checks an agent's work may stand where
the agent has left an `orjson.py`. It goes before anything else is imported. What Python itself imports before, and a
folder `supervisor` that lies there, come first all the same: the command `supervisor` has none of that.
"""

import os
import sys

if not sys.flags.safe_path and sys.path[0] in ("", os.getcwd()):
    del sys.path[0]

from supervisor.cli import main

main()
