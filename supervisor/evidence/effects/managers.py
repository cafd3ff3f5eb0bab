"""The package managers: what their verbs do, and the options that change where packages come from."""

from __future__ import annotations

from typing import NamedTuple

from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import word_set


class Manager(NamedTuple):
    """One package manager.

    `operations` maps its verbs to operations: install, remove, publish, unpublish, sources, config. `skipped` are words
    before the verb (`uv pip install`); `valued` are the options that take the next word; `default` is the operation of
    a manager without verbs (`npx name`).
    """

    ecosystem: str
    operations: dict[str, str]
    skipped: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()
    default: str = ""


class Request(NamedTuple):
    """What a command line requests of a manager: operation, operands, and the command as the manager parses it."""

    manager: Manager
    verb: str
    operation: str
    operands: list[str]
    command: Command


def _operations(
    install: str = "", remove: str = "", publish: str = "", unpublish: str = "", config: str = ""
) -> dict[str, str]:
    by_operation = {"install": install, "remove": remove, "publish": publish, "unpublish": unpublish, "config": config}
    return {verb: operation for operation, verbs in by_operation.items() for verb in verbs.split()}


_PIP_VALUED = word_set(
    "-r --requirement -c --constraint -e --editable -t --target -i --index-url --extra-index-url -f --find-links "
    "--trusted-host --proxy --root --prefix --platform --python-version --python --no-binary --only-binary "
    "--timeout --cert --client-cert --cache-dir --config-settings --progress-bar --src --log --upgrade-strategy "
    "--report -d --dest --default-index --index --index-strategy --group --extra --with --from "
    "--allow-insecure-host -p --source -G --rev --branch --tag -w --wheel-dir --retries --exists-action "
    "--global-option --implementation --abi -u -p --repository"
)
_NPM_VALUED = word_set(
    "--prefix --registry --cache --userconfig --loglevel --tag --otp --access -w --workspace -C --dir --filter -F "
    "--cwd --package -p -c --call --omit --include --network-timeout --modules-folder"
)
_APT_VALUED = word_set("-o --option -t --target-release --default-release -c --config-file -a --host-architecture")
_YUM_VALUED = word_set(
    "-c --config --enablerepo --disablerepo --repo --repofrompath --installroot --releasever -x --exclude"
)
_CARGO_VALUED = word_set(
    "--git --branch --tag --rev --path --version --vers --features -F --root --registry --index --target -j "
    "--jobs --profile --target-dir --manifest-path --token -p --package --bin --example --config"
)

_PIP = Manager("pypi", _operations("install download wheel", "uninstall", config="config"), valued=_PIP_VALUED)
_CONDA = Manager(
    "conda",
    _operations("create install", "remove uninstall", config="config"),
    frozenset({"env"}),
    word_set("-n --name -p --prefix -c --channel -f --file --override-channels --solver"),
)
_NPM_OPERATIONS = _operations(
    "add ci exec i in install isntall x", "r remove rm un uninstall unlink", "publish", "unpublish", "c config set"
)
_APT = Manager(
    "system",
    _operations("install reinstall", "autoremove purge remove", config="dist-upgrade full-upgrade update upgrade"),
    valued=_APT_VALUED,
)
_YUM = Manager("system", _operations("in install localinstall", "autoremove erase remove rm"), valued=_YUM_VALUED)
_RUN_NPM = Manager("npm", {}, valued=_NPM_VALUED, default="install")
_MVN = Manager(
    "maven",
    _operations(publish="deploy release:perform deploy:deploy-file deploy:deploy"),
    valued=word_set("-P -pl -s -f"),
)
_GRADLE = Manager(
    "maven",
    _operations(
        publish="publish publishAllPublicationsToMavenRepository publishPlugins uploadArchives "
        "publishToSonatype publishToMavenCentral closeAndReleaseRepository"
    ),
    valued=word_set("-p -b"),
)

MANAGERS: dict[str, Manager] = {
    **dict.fromkeys(("pip", "pip2", "pip3"), _PIP),
    "uv": Manager(
        "pypi", _operations("add install run", "remove uninstall", "publish"), word_set("pip tool"), _PIP_VALUED
    ),
    "uvx": Manager("pypi", {}, valued=_PIP_VALUED, default="install"),
    "pipx": Manager("pypi", _operations("inject install run", "uninstall uninstall-all"), valued=_PIP_VALUED),
    "poetry": Manager(
        "pypi", _operations("add", "remove", "publish", config="source config"), word_set("self"), _PIP_VALUED
    ),
    **dict.fromkeys(("pdm", "rye"), Manager("pypi", _operations("add", "remove", "publish"), valued=_PIP_VALUED)),
    "pipenv": Manager("pypi", _operations("install", "uninstall"), valued=_PIP_VALUED),
    **dict.fromkeys(("flit", "hatch"), Manager("pypi", _operations(publish="publish"), valued=_PIP_VALUED)),
    "twine": Manager("pypi", _operations(publish="upload"), valued=_PIP_VALUED),
    **dict.fromkeys(("conda", "mamba", "micromamba"), _CONDA),
    **dict.fromkeys(("cnpm", "npm", "pnpm"), Manager("npm", _NPM_OPERATIONS | {"dlx": "install"}, valued=_NPM_VALUED)),
    "yarn": Manager(
        "npm",
        _operations("add dlx", "remove", "publish", config="config"),
        word_set("global npm workspace"),
        _NPM_VALUED,
    ),
    "bun": Manager("npm", _operations("a add i install x", "remove rm", "publish"), valued=_NPM_VALUED),
    **dict.fromkeys(("bunx", "npx", "pnpx"), _RUN_NPM),
    **dict.fromkeys(("deno", "jsr", "lerna"), Manager("npm", _operations(publish="publish"), valued=_NPM_VALUED)),
    "changeset": Manager("npm", _operations(publish="publish")),
    **dict.fromkeys(("ovsx", "vsce"), Manager("vscode", _operations(publish="publish", unpublish="unpublish"))),
    "gem": Manager(
        "gem",
        _operations("install", "uninstall", "push", "yank", "sources"),
        valued=word_set("-v --version -s --source -n"),
    ),
    "bundle": Manager(
        "gem", _operations("add", "remove", config="config"), valued=word_set("--version -v --source --group")
    ),
    "cargo": Manager("cargo", _operations("add install", "remove uninstall", "publish", "yank"), valued=_CARGO_VALUED),
    "go": Manager("go", _operations("get install", config="env"), valued=word_set("-C -modfile -tags")),
    **dict.fromkeys(("apt", "apt-get", "aptitude", "nala"), _APT),
    **dict.fromkeys(("dnf", "dnf5", "microdnf", "tdnf", "yum", "zypper"), _YUM),
    "dpkg": Manager("system", _operations("-i --install", "-r -P --remove --purge")),
    "rpm": Manager("system", _operations("-i -U -ivh -Uvh --install --upgrade", "-e --erase -ev")),
    "apk": Manager("system", _operations("add", "del"), valued=word_set("-X --repository -t --virtual -p --root")),
    "pacman": Manager("system", _operations("-S -Sy -Syu -U", "-R -Rs -Rns -Rdd -Rcns -Rsc -Rn -Rc -Runs")),
    **dict.fromkeys(("snap", "flatpak"), Manager("app", _operations("install", "remove uninstall"))),
    "brew": Manager("brew", _operations("install reinstall", "remove rm uninstall", config="tap")),
    "choco": Manager("choco", _operations("install", "uninstall", "push"), valued=word_set("-s --source --version")),
    "composer": Manager(
        "composer", _operations("require", "remove", config="config"), word_set("global"), word_set("-d")
    ),
    "dotnet": Manager(
        "nuget",
        _operations("package", "", "push", "delete", "source"),
        word_set("add nuget tool"),
        word_set("-s --source -k --api-key -v --version -f"),
    ),
    "nuget": Manager(
        "nuget", _operations("install", "", "push", "delete", "sources"), valued=word_set("-Source -ApiKey -Version")
    ),
    "helm": Manager(
        "helm", _operations(publish="push", config="repo"), valued=word_set("-n --namespace --username --password")
    ),
    **dict.fromkeys(("mvn", "mvnw"), _MVN),
    **dict.fromkeys(("gradle", "gradlew"), _GRADLE),
    **dict.fromkeys(("dart", "flutter"), Manager("pub", _operations("add", "remove", "publish"), word_set("pub"))),
    "mix": Manager("hex", _operations(publish="hex.publish", unpublish="hex.retire")),
    "pod": Manager("cocoapods", _operations(publish="push", unpublish="delete"), word_set("trunk")),
}
REHEARSES = frozenset(
    {"--dry-run", "--dryrun", "--simulate", "--just-print", "--help", "--version", "--no-act", "--recon"}
)
_SHORT_REHEARSALS = {"apt": "-s", "apt-get": "-s", "aptitude": "-s", "cargo": "-n", "mix": "--no-publish"}
MODULES = frozenset({"conda", "flit", "hatch", "pip", "pipenv", "pipx", "poetry", "twine", "uv"})


def request_of(command: Command) -> Request | None:
    """What a command requests of a package manager; None if it requests nothing or is a dry run."""
    command = _unwrapped(command)
    manager = MANAGERS.get(command.program) or MANAGERS.get(command.program.rstrip("0123456789."))
    if manager is None or _rehearses(command, manager):
        return None
    words = command.operands(manager.valued)
    while words and words[0] in manager.skipped:
        words = words[1:]
    if manager.default:
        return Request(manager, "", manager.default, words[:1], command)
    verb = next(iter(words), "")
    if verb == "run" and command.program == "uv" and "tool" not in command.args:
        return None  # it runs a program of the project, and installs none of that name
    if verb in manager.operations:
        return Request(manager, verb, manager.operations[verb], words[1:], command)
    goal = next((word for word in command.args if word in manager.operations), "")  # `rpm -e name`, `mvn clean deploy`
    marks = goal.startswith("-") or manager.ecosystem == "maven"
    return Request(manager, goal, manager.operations[goal], words, command) if goal and marks else None


def _rehearses(command: Command, manager: Manager) -> bool:
    """Whether a command only shows what it would do. In `cargo yank --version 1.0`, `--version` takes a value."""
    marks = (REHEARSES - manager.valued) | {_SHORT_REHEARSALS.get(command.program, "--dry-run")}
    return not marks.isdisjoint(command.args)


def _unwrapped(command: Command) -> Command:
    """`python3 -m pip install x` as `pip install x`."""
    if not command.program.startswith("python") or "-m" not in command.args:
        return command
    at = command.argv.index("-m") + 1
    if command.argv[at : at + 1] and command.argv[at] in MODULES:
        return Command(command.argv[at:], command.text, command.cwd, remote=command.remote, sources=command.sources)
    return command
