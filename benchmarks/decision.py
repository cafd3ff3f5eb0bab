"""What one decision costs beside the bare specialists, on shell commands of the sort that coding agents send.

    python -m benchmarks.decision [rounds]

All variants run interleaved in one process, command by command, so that a noisy machine disturbs each alike. Prints
medians and 99th percentiles in microseconds, and the ratio to the floor: the same specialists called in a plain loop.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import anyio

from supervisor.action import Action, Context
from supervisor.engine import Supervisor
from supervisor.guarding import Guard
from supervisor.policy import Policy, Records

COMMANDS = """
ls -la src
cat README.md | head -50
grep -rn "def parse" src --include='*.py' | sort | uniq -c
cd /repo && git status --short
git diff HEAD~1 -- src/app.py
git add -A && git commit -m "Read the limit from the settings, do not rm -rf the cache"
python -m pytest tests/test_app.py -q -k "limit and not slow" 2>&1 | tail -20
sed -n '120,180p' src/app.py
sed -i 's/limit = 10/limit = settings.limit/' src/app.py
find . -name '*.pyc' -not -path './.venv/*' -delete
rm -rf build dist *.egg-info
mkdir -p tests/data && cp examples/a.json tests/data/
echo "done" > /tmp/marker; test -f /tmp/marker && rm /tmp/marker
for f in src/*.py; do wc -l "$f"; done
cat > src/new.py <<'EOF'\ndef limit() -> int:\n    return 10\nEOF
curl -s https://example.com/api/items | jq '.items[].name'
docker compose logs --tail=100 web
npm run build && npm test -- --watch=false
awk -F: '{ print $1 }' /etc/passwd | sort
export PYTHONPATH=src; python - <<'EOF'\nimport app\nprint(app.limit())\nEOF
""".strip().splitlines()
Variant = Callable[[Action], Awaitable[object] | object]


def floor(supervisor: Supervisor) -> Variant:
    """The specialists of the kind in a loop, each action parsed anew: nothing else."""
    context = Context(facts={"cwd": "/repo"})

    def ask(action: Action) -> None:
        fresh = replace(action, memo={})
        for specialist in supervisor.catalog.for_kind(fresh.kind):
            specialist.judge(fresh, context)

    return ask


def engine(supervisor: Supervisor) -> Variant:
    """The engine, from a coroutine."""
    context = Context(facts={"cwd": "/repo"})
    return lambda action: supervisor.decide(action, context)


def opened(folder: Path, name: str | None) -> Supervisor:
    path = str(folder / name) if name else None
    return Supervisor(Policy(records=Records(path, str(folder / "key.pem"))))


async def measure(rounds: int, folder: Path) -> dict[str, list[float]]:
    plain, recording, guarding = opened(folder, None), opened(folder, "a"), opened(folder, "b")
    guard = Guard(guarding)
    variants: dict[str, Variant] = {
        "specialists in a loop (the floor)": floor(plain),
        "engine": engine(plain),
        "engine, signed record on disk": engine(recording),
        "guard.check from sync code, signed record on disk": lambda action: guard.check(action.tool, action.args),
    }
    took: dict[str, list[float]] = {name: [] for name in variants}
    commands = [command.replace("\\n", "\n") for command in COMMANDS]
    for number in range(rounds + 1):
        for command in commands:
            action = plain.action("bash", {"command": command})
            for name, variant in variants.items():
                started = time.perf_counter()
                answer = variant(action)
                if isinstance(answer, Awaitable):
                    await answer
                if number:  # the first round imports and warms up
                    took[name].append((time.perf_counter() - started) * 1e6)
    for supervisor in (plain, recording, guarding):
        supervisor.close()
    return took


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as folder:
        took = anyio.run(measure, rounds, Path(folder))
    base = statistics.median(next(iter(took.values())))
    print(f"{'one decision on a shell command, µs':52} {'p50':>8} {'p99':>8} {'ratio':>6}")
    for name, times in took.items():
        times.sort()
        p50, p99 = statistics.median(times), times[int(len(times) * 0.99)]
        print(f"{name:52} {p50:8.0f} {p99:8.0f} {p50 / base:6.1f}")


if __name__ == "__main__":
    main()
