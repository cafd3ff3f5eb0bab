"""The package managers: what their verbs do, and the options that change where packages come from."""

from __future__ import annotations

from typing import NamedTuple

from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import word_set


class Manager(NamedTuple):
    """One package manager. `deeds` maps its verbs to deeds: install, remove, publish, unpublish, sources, config.

    `skipped` are words before the verb (`uv pip install`); `valued` are the options that take the next word; `default`
    is the deed of a manager without verbs (`npx name`).
    """

    ecosystem: str
    deeds: dict[str, str]
    skipped: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()
    default: str = ""


class Request(NamedTuple):
    """What a command line requests of a manager: the deed, its operands, and the command as the manager reads it."""

    manager: Manager
    verb: str
    deed: str
    operands: list[str]
    command: Command


def _deeds(
    install: str = "", remove: str = "", publish: str = "", unpublish: str = "", config: str = ""
) -> dict[str, str]:
    by_deed = {"install": install, "remove": remove, "publish": publish, "unpublish": unpublish, "config": config}
    return {verb: deed for deed, verbs in by_deed.items() for verb in verbs.split()}


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

_PIP = Manager("pypi", _deeds("install download wheel", "uninstall", config="config"), valued=_PIP_VALUED)
_CONDA = Manager(
    "conda",
    _deeds("create install", "remove uninstall", config="config"),
    frozenset({"env"}),
    word_set("-n --name -p --prefix -c --channel -f --file --override-channels --solver"),
)
_NPM_DEEDS = _deeds(
    "add ci exec i in install isntall x", "r remove rm un uninstall unlink", "publish", "unpublish", "c config set"
)
_APT = Manager(
    "system",
    _deeds("install reinstall", "autoremove purge remove", config="dist-upgrade full-upgrade update upgrade"),
    valued=_APT_VALUED,
)
_YUM = Manager("system", _deeds("in install localinstall", "autoremove erase remove rm"), valued=_YUM_VALUED)
_RUN_NPM = Manager("npm", {}, valued=_NPM_VALUED, default="install")
_MVN = Manager(
    "maven", _deeds(publish="deploy release:perform deploy:deploy-file deploy:deploy"), valued=word_set("-P -pl -s -f")
)
_GRADLE = Manager(
    "maven",
    _deeds(
        publish="publish publishAllPublicationsToMavenRepository publishPlugins uploadArchives "
        "publishToSonatype publishToMavenCentral closeAndReleaseRepository"
    ),
    valued=word_set("-p -b"),
)

MANAGERS: dict[str, Manager] = {
    **dict.fromkeys(("pip", "pip2", "pip3"), _PIP),
    "uv": Manager("pypi", _deeds("add install run", "remove uninstall", "publish"), word_set("pip tool"), _PIP_VALUED),
    "uvx": Manager("pypi", {}, valued=_PIP_VALUED, default="install"),
    "pipx": Manager("pypi", _deeds("inject install run", "uninstall uninstall-all"), valued=_PIP_VALUED),
    "poetry": Manager(
        "pypi", _deeds("add", "remove", "publish", config="source config"), word_set("self"), _PIP_VALUED
    ),
    **dict.fromkeys(("pdm", "rye"), Manager("pypi", _deeds("add", "remove", "publish"), valued=_PIP_VALUED)),
    "pipenv": Manager("pypi", _deeds("install", "uninstall"), valued=_PIP_VALUED),
    **dict.fromkeys(("flit", "hatch"), Manager("pypi", _deeds(publish="publish"), valued=_PIP_VALUED)),
    "twine": Manager("pypi", _deeds(publish="upload"), valued=_PIP_VALUED),
    **dict.fromkeys(("conda", "mamba", "micromamba"), _CONDA),
    **dict.fromkeys(("cnpm", "npm", "pnpm"), Manager("npm", _NPM_DEEDS | {"dlx": "install"}, valued=_NPM_VALUED)),
    "yarn": Manager(
        "npm", _deeds("add dlx", "remove", "publish", config="config"), word_set("global npm workspace"), _NPM_VALUED
    ),
    "bun": Manager("npm", _deeds("a add i install x", "remove rm", "publish"), valued=_NPM_VALUED),
    **dict.fromkeys(("bunx", "npx", "pnpx"), _RUN_NPM),
    **dict.fromkeys(("deno", "jsr", "lerna"), Manager("npm", _deeds(publish="publish"), valued=_NPM_VALUED)),
    "changeset": Manager("npm", _deeds(publish="publish")),
    **dict.fromkeys(("ovsx", "vsce"), Manager("vscode", _deeds(publish="publish", unpublish="unpublish"))),
    "gem": Manager(
        "gem", _deeds("install", "uninstall", "push", "yank", "sources"), valued=word_set("-v --version -s --source -n")
    ),
    "bundle": Manager(
        "gem", _deeds("add", "remove", config="config"), valued=word_set("--version -v --source --group")
    ),
    "cargo": Manager("cargo", _deeds("add install", "remove uninstall", "publish", "yank"), valued=_CARGO_VALUED),
    "go": Manager("go", _deeds("get install", config="env"), valued=word_set("-C -modfile -tags")),
    **dict.fromkeys(("apt", "apt-get", "aptitude", "nala"), _APT),
    **dict.fromkeys(("dnf", "dnf5", "microdnf", "tdnf", "yum", "zypper"), _YUM),
    "dpkg": Manager("system", _deeds("-i --install", "-r -P --remove --purge")),
    "rpm": Manager("system", _deeds("-i -U -ivh -Uvh --install --upgrade", "-e --erase -ev")),
    "apk": Manager("system", _deeds("add", "del"), valued=word_set("-X --repository -t --virtual -p --root")),
    "pacman": Manager("system", _deeds("-S -Sy -Syu -U", "-R -Rs -Rns -Rdd -Rcns -Rsc -Rn -Rc -Runs")),
    **dict.fromkeys(("snap", "flatpak"), Manager("app", _deeds("install", "remove uninstall"))),
    "brew": Manager("brew", _deeds("install reinstall", "remove rm uninstall", config="tap")),
    "choco": Manager("choco", _deeds("install", "uninstall", "push"), valued=word_set("-s --source --version")),
    "composer": Manager("composer", _deeds("require", "remove", config="config"), word_set("global"), word_set("-d")),
    "dotnet": Manager(
        "nuget",
        _deeds("package", "", "push", "delete", "source"),
        word_set("add nuget tool"),
        word_set("-s --source -k --api-key -v --version -f"),
    ),
    "nuget": Manager(
        "nuget", _deeds("install", "", "push", "delete", "sources"), valued=word_set("-Source -ApiKey -Version")
    ),
    "helm": Manager(
        "helm", _deeds(publish="push", config="repo"), valued=word_set("-n --namespace --username --password")
    ),
    **dict.fromkeys(("mvn", "mvnw"), _MVN),
    **dict.fromkeys(("gradle", "gradlew"), _GRADLE),
    **dict.fromkeys(("dart", "flutter"), Manager("pub", _deeds("add", "remove", "publish"), word_set("pub"))),
    "mix": Manager("hex", _deeds(publish="hex.publish", unpublish="hex.retire")),
    "pod": Manager("cocoapods", _deeds(publish="push", unpublish="delete"), word_set("trunk")),
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
    if verb in manager.deeds:
        return Request(manager, verb, manager.deeds[verb], words[1:], command)
    goal = next((word for word in command.args if word in manager.deeds), "")  # `rpm -e name`, `mvn clean deploy`
    marks = goal.startswith("-") or manager.ecosystem == "maven"
    return Request(manager, goal, manager.deeds[goal], words, command) if goal and marks else None


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
