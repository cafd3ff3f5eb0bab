"""Rules of Firebase, manifests of Android, logrotate, Jenkins, consoles, units of alerts, schedules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.configuration import Fault, Weight
from supervisor.evidence.configuration.markup import property_list, xml_tree
from supervisor.evidence.configuration.rule_files import access_rules, pipeline_steps, rotations
from supervisor.evidence.configuration.schedules import schedules, too_often
from supervisor.evidence.configuration.units import other_unit
from tests.evidence.configuration.test_formats import facts, serious
from tests.evidence.effort import hang_guard

RULES = (
    "service cloud.firestore {{\n  match /databases/{{db}}/documents {{\n    match /{place} {{\n"
    "      allow {acts}: if {when};\n    }}\n  }}\n}}\n"
)


@pytest.mark.parametrize("acts", ["read, write", "write", "create", "delete", "read, update"])
@pytest.mark.parametrize(
    "when",
    [
        "true",
        "isOwner() || true",
        "request.time < timestamp.date(2040, 1, 1)",
        "isOwner() || request.time < timestamp.date(2040, 1, 1)",
    ],
)
@pytest.mark.parametrize("path", ["firestore.rules", "storage.rules", "firebase/firestore.prod.rules"])
def test_rules_that_are_always_true_are_open(acts: str, when: str, path: str) -> None:
    text = RULES.format(place="orders/{id}", acts=acts, when=when)
    assert serious(path, text) == {Fault.OPEN}
    assert serious(path, text, text) == set(), "it was so before"


@pytest.mark.parametrize(
    "when",
    [
        "false",
        "request.auth.uid == id",
        "isOwner()",
        "request.auth != null && request.time < timestamp.date(2040, 1, 1)",
    ],
)
def test_rules_with_a_condition_are_not(when: str) -> None:
    assert serious("firestore.rules", RULES.format(place="orders/{id}", acts="read, write", when=when)) == set()


def test_every_login_may_have_its_own_place_and_not_everything() -> None:
    login = "request.auth != null"
    assert serious("firestore.rules", RULES.format(place="{all=**}", acts="read, write", when=login)) == {Fault.OPEN}
    assert serious("firestore.rules", RULES.format(place="posts/{id}", acts="read, write", when=login)) == set()
    commented = "// allow read, write: if true;\n" + RULES.format(place="posts/{id}", acts="read", when=login)
    assert serious("firestore.rules", commented) == set()


@pytest.mark.parametrize("act", [".write", ".read"])
def test_the_realtime_database(act: str) -> None:
    assert serious("database.rules.json", f'{{"rules": {{"{act}": true}}}}') == {Fault.OPEN}
    assert serious("database.rules.json", f'{{"rules": {{"{act}": false}}}}') == set()


COMPONENTS = ("activity", "service", "receiver", "provider")


@pytest.mark.parametrize("kind", COMPONENTS)
def test_a_component_that_every_app_may_start(kind: str) -> None:
    text = f'<manifest><application><{kind} android:name=".X" {{}} /></application></manifest>'
    path = "app/src/main/AndroidManifest.xml"
    assert serious(path, text.format('android:exported="true"')) == {Fault.OPEN}
    assert serious(path, text.format('android:exported="false"')) == set()
    assert serious(path, text.format('android:exported="true" android:permission="x.P"')) == set()
    assert serious("app/src/debug/AndroidManifest.xml", text.format('android:exported="true"')) == set()
    assert serious(path, text.format('android:exported="true"'), text.format('android:exported="false"')) == {
        Fault.OPEN
    }


LOGS = ("/var/log/audit/audit.log", "/var/log/nginx/access.log", "/srv/app/patient-access.log", "/var/log/auth.log")


@pytest.mark.parametrize("log", LOGS)
def test_a_log_that_has_to_be_kept(log: str) -> None:
    assert serious("etc/logrotate.d/x", f"{log} {{\n  daily\n  rotate 0\n}}\n") == {Fault.SILENT}
    assert serious(
        "etc/logrotate.d/x", f"{log}\n{{\n  rotate 9\n  postrotate\n    rm -f {log}.*\n  endscript\n}}\n"
    ) == {Fault.SILENT}
    assert (
        serious("etc/logrotate.d/x", f"{log} {{\n  rotate 36\n  postrotate\n    kill -HUP 1\n  endscript\n}}\n")
        == set()
    )
    assert serious("etc/logrotate.d/x", "/var/log/app/debug.log {\n  rotate 0\n}\n") == set()


@pytest.mark.parametrize(
    "dump", ["env > info.txt", "env | sort > info.txt", "printenv >> info.txt", "env | tee info.txt"]
)
def test_an_environment_that_becomes_an_artifact(dump: str) -> None:
    jenkins = f"steps {{\n  sh '''\n    {dump}\n    make\n  '''\n  archiveArtifacts artifacts: 'info.txt'\n}}\n"
    assert serious("Jenkinsfile", jenkins) == {Fault.SECRET}
    assert serious("Jenkinsfile", jenkins.replace(dump, "gcc --version > info.txt")) == set()
    gitlab = f"build:\n  script:\n    - {dump}\n  artifacts:\n    paths: [info.txt]\n"
    assert serious(".gitlab-ci.yml", gitlab) == {Fault.SECRET}
    upload = "      - uses: actions/upload-artifact@v4\n        with: {path: info.txt}\n"
    hub = f"jobs:\n  a:\n    steps:\n      - run: {dump}\n{upload}"
    assert serious(".github/workflows/a.yml", hub) == {Fault.SECRET}


INGRESS = "kind: Ingress\nmetadata:\n  name: {name}\n{more}spec:\n  rules:\n    - host: {host}\n"


@pytest.mark.parametrize("name", ["kafka-ui", "akhq", "alertmanager", "jaeger-query", "flower", "mailhog"])
def test_a_console_without_a_login(name: str) -> None:
    shown = {"name": name, "host": "x.example.org", "more": ""}
    assert serious("a.yaml", INGRESS.format(**shown)) == {Fault.LOGIN}
    for annotation in (
        "nginx.ingress.kubernetes.io/auth-url: https://sso",
        "nginx.ingress.kubernetes.io/whitelist-source-range: 10.0.0.0/8",
    ):
        guarded = INGRESS.format(**{**shown, "more": f"  annotations:\n    {annotation}\n"})
        assert serious("a.yaml", guarded) == set()
        bare = INGRESS.format(**{**shown, "more": "  annotations:\n    a: b\n"})
        assert Fault.LOGIN in serious("a.yaml", bare, guarded)
    assert serious("a.yaml", INGRESS.format(**{**shown, "host": "x.internal"})) == set()
    assert serious("a.yaml", INGRESS.format(**{**shown, "name": "shop"})) == set()


@pytest.mark.parametrize("key", ["auth_basic x;", "auth_request /sso;", "deny all;"])
def test_a_guard_of_nginx_that_is_gone(key: str) -> None:
    before = f"location /admin/ {{\n  {key}\n  proxy_pass http://admin;\n}}\n"
    after = before.replace(f"  {key}\n", "")
    assert serious("nginx/a.conf", after, before)
    assert serious("nginx/a.conf", before, after) == set()


@pytest.mark.parametrize(
    ("expression", "said", "is_other"),
    [
        ("temp_millicelsius < 2", "at {{ $value }} °C", True),
        ("temp_celsius < 2", "at {{ $value }} °C", False),
        ("temp_millicelsius / 1000 < 2", "at {{ $value }} °C", False),
        ("latency_seconds > 500", "more than 500 ms", True),
        ("latency_seconds > 0.5", "more than 500 ms", False),
        ("latency_milliseconds > 500", "more than 500 ms", False),
        ("disk_free_bytes < 10", "less than 10 GB left", True),
        ("disk_free_bytes < 10e9", "less than 10 GB left", False),
        ("error_ratio > 5", "over 5%", True),
        ("error_percent > 5", "over 5%", False),
        ("queue_length > 5", "over 5 s", False),
        ("latency_seconds > 2", "in the last 5 minutes", False),
    ],
)
def test_the_unit_of_an_alert(expression: str, said: str, is_other: bool) -> None:
    assert bool(other_unit(expression, {"summary": said})) is is_other


# Each way to write a schedule, with its five fields.
WRITTEN = (
    ("deploy/crontab", "{} app /srv/run\n"),
    ("etc/cron.d/run", "{} root /srv/run\n"),
    ("k8s/job.yaml", 'kind: CronJob\nspec:\n  schedule: "{}"\n'),
    ("k8s/job.yaml", "kind: CronJob\nspec:\n  schedule: {}\n"),
    (".github/workflows/a.yml", "on:\n  schedule:\n    - cron: '{}'\n"),
    ("main.tf", 'resource "x" "y" {{\n  schedule = "{}"\n}}\n'),
    ("jobs.js", "cron.schedule('{}', run)\n"),
    ("routes/console.php", "Schedule::command('run')->cron('{}');\n"),
    ("job.ts", "@Cron('{}')\nrun() {{}}\n"),
    ("Job.java", '@Scheduled(cron = "0 {}")\nvoid run() {{}}\n'),
)


@pytest.mark.parametrize(("path", "form"), WRITTEN)
def test_a_schedule_is_the_same_wherever_it_stands(path: str, form: str) -> None:
    for slip in ("* 9 * * *", "* 2 * * 1", "* * 1 * *", "* */6 * * *"):
        assert too_often(path, form.format(slip), ""), slip
    for meant in ("0 9 * * *", "* * * * *", "*/5 * * * *", "30 2 1 * *", "0 */6 * * *", "* 9-17 * * 1-5"):
        assert too_often(path, form.format(meant), "") is None, meant
    assert too_often(path, form.format("*/5 * * * *"), "run it once a day"), "the request says once a day"
    assert too_often(path, form.format("*/5 * * * *"), "run it every 5 minutes") is None
    assert too_often(path, form.format("* 9 * * *"), "every minute between 9 and 10") is None


@given(*[st.sampled_from(["*", "0", "7", "1-5", "*/2", "1,3"]) for _ in range(5)])
def test_a_day_is_counted_as_a_calendar_counts_it(minute: str, hour: str, day: str, month: str, week: str) -> None:
    def values(field: str, first: int, last: int) -> set[int]:
        if field == "*":
            return set(range(first, last + 1))
        if field.startswith("*/"):
            return set(range(first, last + 1, int(field[2:])))
        if "-" in field:
            low, high = map(int, field.split("-"))
            return set(range(low, high + 1))
        return {int(each) for each in field.split(",")}

    (found,) = schedules("crontab", f"{minute} {hour} {day} {month} {week} /srv/run\n")
    assert found.times == len(values(minute, 0, 59)) * len(values(hour, 0, 23))


@given(st.text("<>/ab='\"!-[]&;k", max_size=200))
def test_any_markup_is_read(text: str) -> None:
    assert isinstance(xml_tree(text), dict)
    assert isinstance(property_list(text), dict)
    assert isinstance(access_rules(text), dict)
    assert isinstance(rotations(text), list)
    assert isinstance(pipeline_steps(text), dict)


def test_an_element_has_its_attributes_and_its_text() -> None:
    text = "<a x=\"1 &lt; 2\"><!-- <b/> --><b>t</b><b y='3'/><c><![CDATA[<d>]]></c></a>"
    assert xml_tree(text) == {"a": {"x": "1 < 2", "b": ["t", {"y": "3"}], "c": "<d>"}}
    assert xml_tree("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>")["a"] == "&e;"


@pytest.mark.parametrize("piece", ["<a>", "<a x='", "match /a {", "allow read: if ", "a {\n", "sh '", "<!--", "* * "])
def test_a_hostile_text_ends(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    with hang_guard():
        for path in ("a.xml", "firestore.rules", "logrotate.d/a", "Jenkinsfile", "crontab"):
            facts(path, text)
            list(schedules(path, text))


def test_slight_facts_are_no_more() -> None:
    found = facts("config/producer.properties", "acks=1\n")
    assert [(fact.fault, fact.weight) for fact in found] == [(Fault.LOSSY, Weight.SLIGHT)]
