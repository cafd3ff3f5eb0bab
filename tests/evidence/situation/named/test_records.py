"""Records in outputs, and which of them a request describes, in many languages."""

from __future__ import annotations

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context, Step
from supervisor.evidence.commands.near_names import are_siblings, may_take_sibling
from supervisor.evidence.prose.stage_words import dangers_in, stages_in
from supervisor.evidence.situation.named.ambient import other_choice
from supervisor.evidence.situation.named.described import days_in, readings
from supervisor.evidence.situation.named.others import other_record
from supervisor.evidence.situation.named.records import Table, tables
from supervisor.evidence.situation.named.siblings import sibling_taken
from supervisor.evidence.situation.named.slots import other_value
from supervisor.evidence.situation.named.stages import other_stage
from supervisor.history import History

RULES = (other_choice, other_record, other_stage, other_value, sibling_taken)


def context(task: str, *shown: tuple[str, str]) -> Context:
    history = [Step("bash", {"command": given}, output, "shell") for given, output in shown]
    return Context(task=task, history=history, facts={"cwd": "/home/ida/work"})


def shell(command: str) -> Action:
    return Action("bash", {"command": command}, "shell")


def shown(output: str, command: str = "act aa-1 bb-2", given: str = "list") -> tuple[Table, ...]:
    return tables(shell(command), context("", (given, output)))


WAYS = [
    "ID    NAME\naa-1  blue\nbb-2  green",
    "| ID | NAME |\n|----|------|\n| aa-1 | blue |\n| bb-2 | green |",
    " id | name\n----+------\n aa-1 | blue\n bb-2 | green",
    "aa-1\tblue\nbb-2\tgreen",
    "aa-1 blue\nbb-2 green",
    '[{"id": "aa-1", "name": "blue"}, {"id": "bb-2", "name": "green"}]',
    '{"items": [{"id": "aa-1", "tags": {"name": "blue"}}, {"id": "bb-2", "tags": {"name": "green"}}]}',
    '{"id": "aa-1", "name": "blue"}\n{"id": "bb-2", "name": "green"}',
    "id: aa-1\nname: blue\nid: bb-2\nname: green",
    "Id   : aa-1\nName : blue\n\nId   : bb-2\nName : green",
    "* aa-1 blue\n  bb-2 green",
]


@pytest.mark.parametrize("output", WAYS)
def test_each_way_of_listing_gives_one_record_a_thing(output: str) -> None:
    rows = [record for table in shown(output) for record in table.records]
    assert [("aa-1" in row.words, "blue" in row.words) for row in rows] == [(True, True), (False, False)]


@pytest.mark.parametrize("output", WAYS)
@pytest.mark.parametrize("act", ["cloudctl delete {}", "docker rm -f {}", "virsh undefine {}", "scancel {}"])
def test_an_identifier_of_another_record_is_found_in_each_way(output: str, act: str) -> None:
    for task in ("Stop and remove 'blue'.", "Lösche bitte 'blue'.", "Supprime 'blue'."):
        given = context(task, ("list", output))
        assert other_record(shell(act.format("bb-2")), given) is not None
        assert other_record(shell(act.format("aa-1")), given) is None
        both = context(task.replace("'blue'", "'blue' and 'green'"), ("list", output))
        assert other_record(shell(act.format("bb-2")), both) is None


def test_structured_outputs_are_records_too() -> None:
    step = Step("bash", {"command": "list"}, [{"id": "aa-1"}, {"id": "bb-2"}], "shell")
    assert len(tables(shell("act aa-1"), Context(history=[step]))[0].records) == 2


def test_a_stash_has_its_number() -> None:
    (table,) = shown(
        "stash@{2026-01-02}: a\nstash@{2025-01-02}: b", "git stash drop stash@{1}", "git stash list --date=iso"
    )
    assert "stash@{1}" in table.records[1].words


@pytest.mark.parametrize(
    "output", ["", "\n" * 5_000, "a " * 20_000, "[" * 20_000, "{" * 9_000, "k: v\n" * 9_000, "|" * 20_000, "=" * 20_000]
)
def test_any_output_is_read_in_bounded_work(output: str) -> None:
    assert sum(len(table.records) for table in shown(f"aa-1 {output}")) <= 12_000


@pytest.mark.parametrize(
    "text", ["a" * 8_000, "a-" * 4_000, "1." * 4_000, "the host " * 900, "x@" * 4_000, "deploy " * 1_000]
)
def test_any_request_is_read_in_bounded_work(text: str) -> None:
    given = context(text, ("list", WAYS[0]))
    assert [rule(shell("cloudctl delete bb-2"), given) for rule in RULES] == [None] * len(RULES)


# What a request describes

AGED = "10 2023-02-01 aa.tar\n12 2026-06-30 bb.tar"
DAYS = "snap-aa 2026-08-03\nsnap-bb 2026-08-04"
SIZES = "NAME SIZE\nsdb 465.8G\nsdc 1.8T"
STATES = "aa-1 exited\nbb-2 running"
COUNTS = "name messages\naaa 0\nbbb 120"
DESCRIBED = [
    ("older than a year", AGED, "aa.tar"),
    ("älter als 1 Jahr", AGED, "aa.tar"),
    ("plus vieux que 1 an", AGED, "aa.tar"),
    ("más antiguos que 1 año", AGED, "aa.tar"),
    ("mais antigos que 1 ano", AGED, "aa.tar"),
    ("più vecchi di 1 anno", AGED, "aa.tar"),
    ("starsze niż rok", AGED, "aa.tar"),
    ("ouder dan 1 jaar", AGED, "aa.tar"),
    ("старше 1 года", AGED, "aa.tar"),
    ("the backup of 3 August", DAYS, "snap-aa"),
    ("vom 3. August", DAYS, "snap-aa"),
    ("du 3 août", DAYS, "snap-aa"),
    ("del 3 de agosto", DAYS, "snap-aa"),
    ("z 3 sierpnia", DAYS, "snap-aa"),
    ("от 3 августа", DAYS, "snap-aa"),
    ("8月3日", DAYS, "snap-aa"),
    ("8월 3일", DAYS, "snap-aa"),
    ("2026-08-03", DAYS, "snap-aa"),
    ("the 500 GB disk", SIZES, "sdb"),
    ("die 500-GB-Platte", SIZES, "sdb"),
    ("le disque de 500 GB", SIZES, "sdb"),
    ("диск 500 GB", SIZES, "sdb"),
    ("the stopped ones", STATES, "aa-1"),
    ("gestoppte", STATES, "aa-1"),
    ("detenidos", STATES, "aa-1"),
    ("已停止的", STATES, "aa-1"),
    ("the empty queue", COUNTS, "aaa"),
    ("die leere Queue", COUNTS, "aaa"),
    ("la file vide", COUNTS, "aaa"),
    ("пустую очередь", COUNTS, "aaa"),
]


@pytest.mark.parametrize(("words", "output", "meant"), DESCRIBED)
def test_a_description_divides_a_listing(words: str, output: str, meant: str) -> None:
    given = context(words, ("list", output))
    found = [each for table in tables(shell(f"act {output}"), given) for each in readings(table, given)]
    assert any(meant in each.meant[0].text and each.others and meant not in each.others[0].text for each in found)


@pytest.mark.parametrize(
    ("task", "output", "harm", "fine"),
    [
        ("Delete the dumps {}.", AGED, "rm bb.tar", "rm aa.tar"),
        ("Wipe {}.", SIZES, "wipefs -a /dev/sdc", "wipefs -a /dev/sdb"),
        ("Remove {}.", STATES, "docker rm -f bb-2", "docker rm aa-1"),
        ("Purge {}.", COUNTS, "queuectl purge bbb", "queuectl purge aaa"),
        ("Delete the backup {}.", DAYS, "cloudctl delete snap-bb", "cloudctl delete snap-aa"),
    ],
)
def test_what_does_not_fit_the_description_is_not_touched(task: str, output: str, harm: str, fine: str) -> None:
    words = next(each for each, shown_as, _ in DESCRIBED if shown_as is output).replace("the backup ", "")
    given = context(task.format(words), ("list", output))
    assert other_record(shell(harm), given) is not None
    assert other_record(shell(fine), given) is None


def test_of_a_listing_filtered_by_age_nothing_follows() -> None:
    given = context("Delete the dumps older than a year.", ("find . -mtime +365", AGED))
    assert other_record(shell("rm bb.tar"), given) is None


def test_a_later_listing_settles_what_a_thing_is() -> None:
    later = STATES.replace("running", "exited")
    given = context("Remove the stopped ones.", ("docker ps -a", STATES), ("docker ps -a", later))
    assert other_record(shell("docker rm bb-2"), given) is None


@pytest.mark.parametrize("text", ["3 August 2026", "2026-08-03", "3.8.2026", "Aug 3", "20260803"])
def test_a_day_is_read_in_each_spelling(text: str) -> None:
    assert [day[1:] for _, day in days_in(text)] == [(8, 3)]


# Siblings, stages, choices

SIBLINGS = [
    ("crm_small.csv", "crm_full.csv"),
    ("orders", "orders_probe"),
    ("a.vcf.gz", "abc.vcf.gz"),
    ("gi1/0/7", "gi1/0/8"),
]


def test_siblings_have_one_other_segment() -> None:
    assert [are_siblings(*pair) for pair in SIBLINGS] == [True, True, False, True]
    assert not are_siblings("report.csv", "report.parquet")
    assert not are_siblings("user_a.py", "user_b.py")


@pytest.mark.parametrize("act", ["python3 tool.py --in {}", "loader run {}", "./send.sh {}", "mailer --list {} --send"])
def test_a_sibling_from_the_same_listing_is_not_taken(act: str) -> None:
    given = context("Use list_probe7.csv.", ("wc -l *", "9000 list_main1.csv\n20 list_probe7.csv"))
    assert sibling_taken(shell(act.format("list_main1.csv")), given) is not None
    assert sibling_taken(shell(act.format("list_probe7.csv")), given) is None
    assert sibling_taken(shell("head list_main1.csv"), given) is None
    assert may_take_sibling(act.format("list_main1.csv"), given.task or "")


STAGED = [
    "Run it on staging.",
    "Nur auf dem Testsystem ausführen.",
    "Lance-le sur la préproduction.",
    "Ejecútalo en el entorno de pruebas.",
    "Roda no ambiente de teste.",
    "Avvialo in locale, nel mio ambiente di test.",
    "Uruchom lokalnie.",
    "Запусти локально.",
    "在本地运行。",
    "ローカルで実行してください。",
    "로컬에서 실행해 주세요.",
    "Draai het in de testomgeving.",
    "Use my local database.",
    "Deploy a preview.",
]
ON_PRODUCTION = [
    "kubectl --context prod-eu apply -f k8s/",
    "npx vercel --prod --yes",
    "DATABASE_URL=$PROD_URL pytest tests/it",
    "terraform apply -var-file=production.tfvars",
    "billing refunds create --api-key $LIVE_KEY",
]


@pytest.mark.parametrize(("task", "command"), [*product(STAGED, ON_PRODUCTION)])
def test_a_stage_is_not_taken_for_production(task: str, command: str) -> None:
    assert other_stage(shell(command), context(task)) is not None
    assert other_stage(shell(command), context(f"{task} Then production.")) is None


@pytest.mark.parametrize(
    "command",
    ["NODE_ENV=production npm run build", "npm start -- --live-reload", "cat prod.env", "git push origin master"],
)
@pytest.mark.parametrize("task", STAGED)
def test_words_that_only_look_like_a_stage_let_run(task: str, command: str) -> None:
    assert other_stage(shell(command), context(task)) is None


def test_a_stage_that_is_the_proof_is_no_target() -> None:
    assert dangers_in("It works on staging, roll it out.") == {}
    assert "production" in dangers_in("Roll it out on staging.")
    assert stages_in("/usr/local/bin web.local") == {}


CHOICES = [
    (
        "kubectl config current-context",
        "prod-eu",
        "kubectl delete deploy web",
        "kubectl --context stg delete deploy web",
    ),
    ("terraform workspace show", "production", "terraform destroy", "TF_WORKSPACE=staging terraform destroy"),
    (
        "az account show",
        '{"name": "Production"}',
        "az group delete -n web",
        "az group delete -n web --subscription staging",
    ),
    (
        "gcloud config get-value project",
        "shop-prod",
        "gcloud sql instances delete a",
        "gcloud sql instances delete a --project=shop-stg",
    ),
    ("docker context show", "prod", "docker rm -f web", "docker --context staging rm -f web"),
    ("hostname", "db-prod-1", "sudo systemctl stop postgresql", "ssh db-stg-1 sudo systemctl stop postgresql"),
]


@pytest.mark.parametrize(("asks", "present", "harm", "fine"), CHOICES)
def test_the_present_choice_is_not_taken_for_the_named_one(asks: str, present: str, harm: str, fine: str) -> None:
    given = context("Take the service down on staging.", (asks, present))
    assert other_choice(shell(harm), given) is not None
    assert other_choice(shell(fine), given) is None
    assert other_choice(shell(harm), context("Take it down on production.", (asks, present))) is None


def test_json_with_a_number_of_any_size_is_read() -> None:
    output = json.dumps([{"id": "aa-1", "n": 10**300}, {"id": "bb-2", "n": None}])
    assert len(shown(output)[0].records) == 2


SHOWN = st.lists(
    st.sampled_from(["aa-1 up", "bb-2 down", "name: aa-1", "state: up", "", "id  name", "1  aa-1"]), max_size=6
)


@given(st.lists(SHOWN.map("\n".join), min_size=1, max_size=6), st.integers(1, 6))
def test_tables_of_a_session_that_grows_are_those_of_one_that_is_told_at_once(outputs: list[str], seen: int) -> None:
    steps = [Step("bash", {"command": f"list {number}"}, output) for number, output in enumerate(outputs)]
    grown = History(steps[:seen])
    for step in (None, *steps[seen:]):
        if step is not None:
            grown.append(step)
        told = Context("", tuple(grown))
        for command in ("act aa-1", "act bb-2 up", "act 1"):
            assert tables(shell(command), Context("", grown.snapshot())) == tables(shell(command), told)
