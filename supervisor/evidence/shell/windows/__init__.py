"""PowerShell and cmd, read to the same commands as a POSIX shell's: `Remove-Item -Recurse x` runs `rm -r x`.

`powershell` and `cmd` read the two languages; `cmdlets.yaml` names the cmdlets, their aliases and their parameters;
`translation` and `natives` say which command of a POSIX system does the same. A cmdlet without such a command keeps its
name, with its parameters spelled out, and `supervisor.evidence.effects.cmdlets` reads it.
"""
