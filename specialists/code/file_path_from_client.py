"""Opens, writes or deletes a file whose path a client chooses (CWE-22)."""

from supervisor.evidence.actions.programs import module
from supervisor.evidence.effects import Act
from supervisor.evidence.python.sinks import Sinks
from supervisor.methods.flows import judged
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_FILE = (0, "file", "path", "filename", "path_or_file", "filename_or_fp", "name", "src")
_OF_OS = (
    "chmod link listdir makedirs mkdir open remove removedirs rename replace rmdir scandir symlink truncate unlink walk"
)
_OF_SHUTIL = "copy copy2 copyfile copytree move rmtree unpack_archive"
_OPENS = Sinks(
    dict.fromkeys(("open", "file", "io.open", "codecs.open", "aiofiles.open", "gzip.open", "tarfile.open"), _FILE)
    | {f"os.{name}": _FILE for name in _OF_OS.split()}
    | {f"shutil.{name}": _FILE for name in _OF_SHUTIL.split()}
    | {f"flask.{name}": _FILE for name in ("send_file", "helpers.send_file")}
    | {f"{library}.responses.FileResponse": _FILE for library in ("fastapi", "starlette")}
    | {"aiohttp.web.FileResponse": _FILE, "zipfile.ZipFile": _FILE, "PIL.Image.open": _FILE, "numpy.load": _FILE}
    | {"pandas.read_csv": _FILE, "runpy.run_path": _FILE}
)
_OPENS_SECOND = Sinks({f"{library}.{name}": (1, "dst") for library, name in (("os", "rename"), ("shutil", "move"))})
_METHODS = Sinks({".save": (0, "dst", "path")})
# `Path(name).read_text()`: the path is the receiver of the method.
_OF_PATH = ("open", "read_bytes", "read_text", "rmdir", "unlink", "write_bytes", "write_text")
_PATHS = Sinks({f"pathlib.{name}": (0,) for name in ("Path", "PosixPath")})


@specialist("python", "javascript", "file_write", "file_edit", "shell", about=[Act.CODE])
def file_path_from_client(action: Action, context: Context) -> Opinion:
    code = module(action, context)
    if code is None:
        return judged(action, context, "path", "upload")
    tables = [_OPENS, _OPENS_SECOND, _METHODS]
    if any(True for _ in code.calls_of(_OF_PATH)):
        tables.append(_PATHS)
    for table in tables:
        for call, value, source in table.reached(code):
            path = code.text(value)[:60]
            return nudge(
                f"`{call.name}` uses the path `{path}`, and with `{source}` a client may send `../../etc/passwd`.",
                correction="Serve files with flask.send_from_directory(FOLDER, name); or keep only the last part of the"
                " name: os.path.join(FOLDER, werkzeug.utils.secure_filename(name)), or os.path.basename(name).",
                sharper="path = (FOLDER / name).resolve(), then `if not path.is_relative_to(FOLDER): abort(404)`, and"
                " open only that path.",
                evidence=(call.text,),
            )
    return ok()
