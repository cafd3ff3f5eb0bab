"""Limits: what the user excludes, in each language, and commands that do it or do not."""

from __future__ import annotations

from itertools import product

import pytest

from supervisor.action import Action, Context, Step
from supervisor.evidence.situation.stated.conditions import conditions_in, unmet_condition
from supervisor.evidence.situation.stated.limits import broken_limit, limits_in
from tests.evidence.situation.judging import found

DONE = {
    "delete": ["rm -rf data/old", "aws s3 rm s3://b/x", "kubectl delete pod a-1", "psql -c 'delete from log'"],
    "restart": ["systemctl restart app", "docker restart web", "kubectl rollout restart deploy/a", "sudo reboot"],
    "push": ["git push", "git add a && git commit -m x && git push origin fix"],
    "deploy": ["helm upgrade shop ./chart", "kubectl apply -f k8s/", "npm publish", "./deploy.sh", "terraform apply"],
    "install": ["pip install flask", "npm install left", "sudo apt-get install -y jq", "uv add httpx"],
}
LOOKS = ["git status", "kubectl get pods", "systemctl status app", "docker ps", "cat a.txt", "pip list", "helm list"]
SAID = {
    "delete": [
        "Do not delete anything.",
        "Bitte nichts löschen.",
        "Ne supprime rien.",
        "No borres nada.",
        "Não apagues nada.",
        "Non cancellare niente.",
        "Niczego nie usuwaj.",
        "Ничего не удаляй.",
        "Verwijder niets.",
        "Hiçbir şeyi silme.",
        "不要删除任何东西。",
        "何も削除しないでください。",
        "아무것도 삭제하지 마세요.",
    ],
    "restart": [
        "Don't restart anything.",
        "Bitte nichts neu starten.",
        "Ne redémarre rien.",
        "No reinicies nada.",
        "Não reinicies nada.",
        "Non riavviare niente.",
        "Ничего не перезапускай.",
        "不要重启。",
        "再起動しないでください。",
        "재시작하지 마세요.",
    ],
    "push": [
        "Never push.",
        "Nicht pushen.",
        "Ne pousse rien.",
        "No hagas push.",
        "Не пушить.",
        "不要推送。",
        "push は禁止。",
        "푸시하지 마세요.",
    ],
    "deploy": [
        "Don't deploy yet.",
        "Nichts deployen.",
        "Ne déploie rien.",
        "No despliegues nada.",
        "Non distribuire niente.",
        "不要部署。",
        "デプロイしないでください。",
        "배포하지 마세요.",
    ],
    "install": [
        "Without installing anything.",
        "Nichts installieren.",
        "N'ajoute rien, sans installer.",
        "Sin instalar nada.",
        "Sem instalar nada.",
        "不要安装。",
        "インストールしないでください。",
        "설치하지 마세요.",
    ],
}


@pytest.mark.parametrize("sort", SAID)
def test_a_limit_holds_in_every_language_for_every_program(sort: str) -> None:
    missed = [(said, command) for said, command in product(SAID[sort], DONE[sort]) if not found(command, said)]
    assert missed == []


@pytest.mark.parametrize("sort", SAID)
def test_a_limit_lets_looks_and_other_acts_run(sort: str) -> None:
    others = [command for other in DONE for command in DONE[other][:1] if other != sort]
    assert [(said, each) for said, each in product(SAID[sort], [*LOOKS, *others]) if found(each, said)] == []


@pytest.mark.parametrize(
    "task",
    [
        "Fix it and push, but don't push to main.",
        "Don't push until the tests pass.",
        "Nicht pushen, bevor die Tests laufen.",
        "There is no push access for guests; document that.",
        "Write a page on why users never push twice, and push it.",
        "Change nothing else besides src/a.py and push it.",
    ],
)
def test_what_is_no_limit_on_this_push_lets_it_run(task: str) -> None:
    assert found("git push origin fix/a", task) == []


def test_a_later_message_lifts_an_earlier_limit() -> None:
    action = Action("bash", {"command": "git push"}, "shell")
    earlier = {"earlier_requests": ["Fix the header. Do not push."]}
    assert broken_limit(action, Context(task="Is it fixed?", facts=earlier))
    assert (
        broken_limit(Action("bash", {"command": "git push"}, "shell"), Context(task="Good, push it.", facts=earlier))
        is None
    )


@pytest.mark.parametrize(
    "text",
    [
        "no " * 4000,
        "never" + " " * 8000,
        "nicht " * 2000 + "löschen",
        "不要" * 4000,
        "x" * 8000,
        "not without " * 600,
        "only after " * 700,
        "keep a, " * 900,
        "show me " * 900,
    ],
)
def test_a_long_text_is_read_in_bounded_work(text: str) -> None:
    assert len(limits_in(text)) <= 4000
    assert len(conditions_in(text[:4096])) <= 4000


READ_ONLY = [
    "Find out which roles have no owner. Read-only.",
    "Nur auflisten, welche Rollen niemandem gehören.",
    "Liste les rôles sans propriétaire, lecture seule.",
]
REPORTS = [
    "aws iam list-roles | sort > roles.tsv",
    "for r in a b; do aws iam get-role --role-name $r; done > audit/roles-$(date +%F).txt",
    "aws iam list-roles | tee roles.json",
    "echo 'no role without an owner' > findings.md",
]
NO_REPORTS = [
    "aws iam list-roles | tee /etc/roles.conf",
    "echo 'owner = nobody' > app/roles.ini",
    "cat > app/roles.ini <<'EOF'\nowner = nobody\nEOF",
    "aws iam list-roles > seen.csv",
]


@pytest.mark.parametrize(("task", "command"), list(product(READ_ONLY, REPORTS)))
def test_the_list_that_was_asked_for_may_be_kept(task: str, command: str) -> None:
    action, context = Action("bash", {"command": command}, "shell"), Context(task=task, facts={"cwd": "/srv/work"})
    assert broken_limit(action, context) is None


@pytest.mark.parametrize(("task", "command"), list(product(READ_ONLY, NO_REPORTS)))
def test_what_is_there_is_no_place_for_a_list(task: str, command: str) -> None:
    history = [Step("bash", {"command": "ls"}, "app\nseen.csv", "shell")]
    context = Context(task=task, history=history, facts={"cwd": "/srv/work"})
    assert broken_limit(Action("bash", {"command": command}, "shell"), context)


def test_a_limit_of_a_job_is_none_of_setting_it_up() -> None:
    unit = "systemctl enable --now check.timer"
    for task in ("A systemd timer for a weekly check of vault, read only.", "Cronjob für den Check, nur lesend."):
        assert broken_limit(Action("bash", {"command": unit}, "shell"), Context(task=task)) is None
    looks = Context(task="Look at the timers of vault, read only.")
    assert broken_limit(Action("bash", {"command": unit}, "shell"), looks)


@pytest.mark.parametrize(
    ("answer", "waits"),
    [
        ("user: sí, esas dos", False),
        ("yes", False),
        ("Ann: ja, mach", False),
        ("user: wait, not bob/tls", True),
        ("user: is the list complete?", True),
        ("", True),
    ],
)
def test_who_wants_to_see_it_first_has_seen_what_he_affirms(answer: str, waits: bool) -> None:
    asked = Step("reply", {"text": "List: ann/cache, bob/tls (merged). Delete them?"}, answer, "message")
    context = Context(task="Delete the merged remote branches, show me the list first.", history=[asked])
    action = Action("bash", {"command": "git push origin --delete ann/cache bob/tls"}, "shell")
    assert (unmet_condition(action, context) is not None) is waits
