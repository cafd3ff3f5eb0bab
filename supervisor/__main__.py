"""`python -m supervisor` is the command `supervisor`.

Python puts the working directory first on `sys.path`, and an agent may have left an `orjson.py` there. So the working
directory is removed before anything else is imported. It is too late for what Python itself imports first and for a
folder `supervisor` in that directory; the command `supervisor` has neither problem (CWE-427).
"""

import os
import sys

if not sys.flags.safe_path and sys.path[0] in ("", os.getcwd()):
    del sys.path[0]

from supervisor.cli import main

main()
