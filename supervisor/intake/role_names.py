"""The names of arguments and of tools that hint at what a call does: data that `roles` weighs."""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# By kind, names of its main argument: 2 points if the name can hardly mean anything else, 1 if it may.
ROLES: dict[str, dict[int, frozenset[str]]] = {
    "shell": {
        2: _names(
            "command cmd commands cmds command_line commandline cmdline cmd_line command_string command_text"
            " shell_command shell_cmd shell_script bash bash_command bash_script sh terminal_command cli_command"
            " full_command command_to_run command_to_execute run_command exec_command powershell ps_command ps_script"
            " powershell_script shell shell_commands remote_command script_block cmd_string cmd_args argv"
        ),
        1: _names(
            "script scripts input stdin text chars keys keystrokes line lines data program executable binary exec"
            " execute run args arguments code snippet entrypoint subcommand instruction job file_path path content"
            " message payload body source invocation string characters value"
        ),
    },
    "python": {
        2: _names("python python_code py_code python_script python_source python_program"),
        1: _names("code source source_code snippet script program cell input cell_source expression content body"),
    },
    "javascript": {
        2: _names("javascript js js_code javascript_code js_script node_code page_function"),
        1: _names("code source source_code snippet script program expression function input body content"),
    },
    "sql": {
        2: _names("sql sql_query sql_statement sql_text raw_sql query_sql sql_string sql_command statement statements"),
        1: _names("query queries q command input text expression body script code"),
    },
    "file_edit": {
        2: _names("patch diff unified_diff patch_text patch_content diff_text diff_content patch_string udiff"),
        1: _names("input content changes edits text body data"),
    },
}
# Words in a tool's name that add or subtract points.
_RUNS = _names(
    "run runs runner running exec execute executes executor execution shell bash sh zsh terminal console tty pty tmux"
    " process processes spawn command commands cmd cli ssh powershell pwsh monitor stdin keys keystrokes subprocess"
    " system eval sandbox kubectl docker container job task script invoke launch start test tests build interact"
    " local local_shell session host remote background daemon watch"
)
_CODES = _names("code python py repl notebook jupyter cell interpreter ipython kernel eval run exec execute sandbox")
_BROWSES = _names("javascript js node browser page script evaluate eval console run exec execute code repl deno bun")
_QUERIES = _names(
    "sql db database postgres postgresql pg mysql mariadb sqlite bigquery snowflake redshift clickhouse duckdb query"
    " queries execute exec run warehouse databricks oracle mssql trino presto athena supabase neon cockroach statement"
)
_PATCHES = _names("patch apply diff edit modify update write change files file codex")
TOOL_WORDS = {"shell": _RUNS, "python": _CODES, "javascript": _BROWSES, "sql": _QUERIES, "file_edit": _PATCHES}
PROSE_WORDS = _names(
    "search find lookup ticket tickets message messages comment comments note notes email mail reply post tweet memo"
    " coupon discount promo voucher film movie screenplay song lyrics explain describe summarize translate review"
    " lint parse format validate save store remember memory document docs wiki page issue issues article blog draft"
    " chat answer ask faq support customer loyalty order cart robot light device home music voice game"
    " log report feedback survey course lesson quiz submit display render show preview get list read"
)
DESCRIBES = _names("explain describe summarize translate review lint parse format validate quote teach")
MAY_BE_PROSE, IS_PROSE = 2, 4  # points off
TYPE = _names("write send type")
TYPED_INTO = _names("stdin std input key keys keystrokes terminal process pty tty session")
PLURALS = _names("commands cmds lines scripts statements queries shell_commands")
ARGV = _names("args arguments argv params parameters cmd_args arg_list")
OF_ELEMENTS = _names("selector element xpath locator ref css element_id node_id")
PLACES = ("cwd", "workdir", "working_directory", "work_dir", "working_dir", "directory", "dir", "current_directory")
LANGUAGES = _names("language lang runtime interpreter kernel shell_type engine")
KIND_OF_LANGUAGE = {
    **dict.fromkeys(("bash", "sh", "shell", "zsh", "powershell", "pwsh", "cmd", "terminal", "ksh"), "shell"),
    **dict.fromkeys(("python", "python3", "py", "ipython", "python2"), "python"),
    **dict.fromkeys(("javascript", "js", "node", "nodejs", "typescript", "ts", "deno", "bun"), "javascript"),
    **dict.fromkeys(("sql", "postgres", "postgresql", "mysql", "sqlite"), "sql"),
}
MAIN = {"shell": "command", "python": "code", "javascript": "code", "sql": "query", "file_edit": "patch"}
# How each kind's text is run from a command line, for a call with several arguments that may be what runs.
ON_A_LINE = {
    "shell": "",
    "python": "python3 -c ",
    "javascript": "node -e ",
    "sql": "psql -c ",
    "file_edit": "apply_patch ",
}
# The same for a tool that changes files and runs something as well.
FILED_ON_A_LINE = {"file_write": "tee -- ", "file_edit": "tee -a -- ", "file_delete": "rm -- "}
ALSO_RUNS = _names("run exec execute eval launch")
CLIENTS = _names("git kubectl docker podman helm terraform aws gcloud az gh npm yarn pnpm pip psql redis systemctl")
