"""The model of command lines: the options and operands of programs, and the role that each value has.

The facts are data (`programs/*.yaml` for meaning, `arity.tsv` for the options that programs themselves report), and
`reader` is the one reader of them. No other module needs to know how a program spells its options.
"""

from __future__ import annotations

from supervisor.evidence.commands.model import Dialect, Option, Program, Role, Stdin, Stdout
from supervisor.evidence.commands.reader import Argument, Line, read
from supervisor.evidence.commands.store import option_variables, program_named, variables

__all__ = ["Argument", "Dialect", "Line", "Option", "Program", "Role", "Stdin", "Stdout"]
__all__ += ["option_variables", "program_named", "read", "variables"]
