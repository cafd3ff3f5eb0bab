"""An agent that follows a script and speaks like Claude Code over stream-json, with a process of its own.

    python -I -S agent.py FOLDER STEP…  [the flags of Claude Code]

A step is `work` (a call that takes a moment), `ask` (it ends its turn and asks whether it should go on), `risk` (a call
about which a person is asked), `stall` (in its first attempt it does nothing any more) or `idle` (it has no end). Every
call is asked about by its hooks. What a call does is a line in `FOLDER/trace`. Sessions are kept in `FOLDER/sessions`,
so they go on after a kill; a deferred call is made again as soon as its session goes on. Only the standard library.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

RISK = "git push --force origin main"
_MOMENT = 0.2  # seconds of a call
_COST = 0.001  # US dollars of a step


def say(kind: str, **more: Any) -> None:
    sys.stdout.write(json.dumps({"type": kind, **more}) + "\n")
    sys.stdout.flush()


class Agent:
    """One process of it."""

    def __init__(self, folder: Path, plan: list[str], flags: list[str]) -> None:
        self._folder, self._plan = folder, plan
        self._settings = Path(flags[flags.index("--settings") + 1])
        resumed = flags[flags.index("--resume") + 1] if "--resume" in flags else ""
        self._id = resumed or str(uuid.uuid4())
        self._session = folder / "sessions" / self._id
        self._done, self._deferred = json.loads(self._session.read_text()) if resumed else (0, "")
        self._known = False

    def run(self) -> None:
        """Until its input ends."""
        for line in iter(sys.stdin.readline, ""):
            message = json.loads(line)
            if message["type"] == "control_request":
                response = {"subtype": "success", "request_id": message["request_id"], "response": {}}
                say("control_response", response=response)
                if self._deferred:
                    self._go_on()
            elif message["type"] == "user":
                self._turn(message["message"]["content"][0]["text"])

    def _turn(self, prompt: str) -> None:
        stopped = self._hook("UserPromptSubmit", prompt=prompt).get("decision") == "block"
        say("system", subtype="init", session_id=self._id)
        if stopped:
            self._result("stopped by a hook")
            return
        self._save()
        self._go_on()

    def _go_on(self) -> None:
        """Does what is left of the script."""
        while self._done < len(self._plan):
            step = self._plan[self._done]
            if step == "stall" and os.environ["SUPERVISOR_ATTEMPT"] == "1":
                time.sleep(100_000)
            while step == "idle":
                say("system", subtype="notification")
                time.sleep(2)
            if step in ("work", "risk") and not self._call(step):
                return
            if step == "ask" and not self._asks():
                return
            self._done += 1
            self._save()
        self._hook("Stop", last_assistant_message="All is done.")
        self._result("All is done.")

    def _call(self, step: str) -> bool:
        """Makes a call, unless it was made before. Returns False if a person is asked."""
        call, command = f"call-{self._id}-{self._done}", RISK if step == "risk" else f"make part-{self._done}"
        about = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": call}
        if step in self._traced():  # it was cut off in between, and looks at what is there
            return True
        if self._deferred == call:  # it was shown when it was proposed
            told = self._knock(about)
        else:
            asked = {"type": "tool_use", "id": call, "name": "Bash", "input": about["tool_input"]}
            say("assistant", message={"role": "assistant", "content": [asked]})
            told = self._hook("PreToolUse", **about)
        said = told.get("hookSpecificOutput", {}).get("permissionDecision", "deny")
        if said == "defer":
            self._deferred = call
            self._save()
            self._result("It waits.", stop_reason="tool_deferred", deferred_tool_use={"id": call})
            return False
        self._deferred = ""
        if said == "allow":
            self._trace(f"begin {step}")
            time.sleep(_MOMENT)
            self._trace(step)
            self._hook("PostToolUse", **about, tool_response={"stdout": "done"})
        content = {"type": "tool_result", "tool_use_id": call, "content": "done", "is_error": said != "allow"}
        say("user", message={"role": "user", "content": [content]})
        return True

    def _asks(self) -> bool:
        """Ends its turn with a question. Returns whether it was told to go on."""
        words = "A part of it is done. Want me to continue?"
        say("assistant", message={"role": "assistant", "content": [{"type": "text", "text": words}]})
        told = self._hook("Stop", last_assistant_message=words)
        if told.get("decision") == "block":
            self._trace("urged")
            return True
        self._result(words)
        return False

    def _hook(self, name: str, **more: Any) -> dict[str, Any]:
        """Asks a hook over the pipe."""
        key = str(uuid.uuid4())
        event = {"hook_event_name": name, "session_id": self._id, "cwd": str(Path.cwd()), **more}
        say(
            "control_request",
            request_id=key,
            request={"subtype": "hook_callback", "callback_id": name, "input": event},
        )
        for line in iter(sys.stdin.readline, ""):
            message = json.loads(line)
            if message["type"] == "control_response" and message["response"]["request_id"] == key:
                answer: dict[str, Any] = message["response"]["response"]
                return answer
        sys.exit(1)  # nobody answers any more

    def _knock(self, about: dict[str, Any]) -> dict[str, Any]:
        """Asks the hook that stands in the settings, as a resumed session does about its deferred call."""
        (hook,) = json.loads(self._settings.read_text())["hooks"]["PreToolUse"]
        event = {"hook_event_name": "PreToolUse", "session_id": self._id, "cwd": str(Path.cwd()), **about}
        ran = subprocess.run(
            hook["hooks"][0]["command"],
            shell=True,
            input=json.dumps(event),
            capture_output=True,
            text=True,
            check=False,
        )
        answer: dict[str, Any] = json.loads(ran.stdout or "{}")
        return answer if ran.returncode == 0 else {}

    def _result(self, words: str, **more: Any) -> None:
        usage = {"inputTokens": 100 * self._done, "outputTokens": 10 * self._done, "costUSD": _COST * self._done}
        spent = {"total_cost_usd": _COST * self._done, "modelUsage": {"scripted": usage}}
        say("result", subtype="success", is_error=False, result=words, session_id=self._id, **spent, **more)

    def _save(self) -> None:
        fresh = self._session.with_name(f".{self._id}.{os.getpid()}")
        fresh.write_text(json.dumps([self._done, self._deferred]))
        fresh.replace(self._session)

    def _trace(self, word: str) -> None:
        about = f"{os.environ['SUPERVISOR_TASK']} {os.environ['SUPERVISOR_ATTEMPT']} {self._done}"
        line = f"{about} {time.monotonic()} {word}\n".encode()
        descriptor = os.open(self._folder / "trace", os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
        os.write(descriptor, line)
        os.close(descriptor)

    def _traced(self) -> list[str]:
        """What this step of the task has done already."""
        file, task = self._folder / "trace", os.environ["SUPERVISOR_TASK"]
        lines = [line.split(" ", 4) for line in file.read_text().splitlines()] if file.exists() else []
        return [each[4] for each in lines if each[0] == task and each[2] == str(self._done)]


def main() -> None:
    folder, words = Path(sys.argv[1]), sys.argv[2:]
    flags = next(number for number, word in enumerate(words) if word.startswith("-"))
    Agent(folder, words[:flags], words[flags:]).run()


if __name__ == "__main__":
    main()
