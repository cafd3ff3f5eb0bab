"""`python -m supervisor` is `supervisor`."""

from supervisor.cli import main

main()
