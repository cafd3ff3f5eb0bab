"""What the tools and APIs of clouds and platforms do to resources, read by one grammar."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.platforms import Environment, Resource, Sort
from supervisor.evidence.effects.platforms.data import hosts, programs
from supervisor.evidence.effects.platforms.pattern import rules_of
from supervisor.evidence.effects.platforms.words import DESTRUCTIVE_VERBS, MAKES, READS, singular, sort_of, word_of
from tests.evidence.effort import MOST, steps

FOLDER = Path(__file__).parents[4] / "supervisor" / "evidence" / "effects" / "platforms"
VERBS = {*DESTRUCTIVE_VERBS.values(), "expose", "grant", "weaken", "apply", "tamper", "overwrite", "nothing"}
MARKS = {"each", "kind", "whole", "mild", "forced", *Sort}


def changed(command: str) -> list[Resource]:
    action = Action("bash", {"command": command}, kind="shell")
    return [effect for effect in effects(action, Context()).of(Act.RESOURCE) if isinstance(effect, Resource)]


def only(command: str) -> Resource:
    (effect,) = changed(command)
    return effect


@pytest.mark.parametrize(
    ("command", "verb", "sort", "target"),
    [
        ("gcloud --project shop sql instances delete orders", "delete", Sort.DATABASE, "orders"),
        ("aws rds delete-db-cluster-snapshot --db-cluster-snapshot-identifier monday", "delete", Sort.BACKUP, "monday"),
        ("aws elbv2 delete-target-group --target-group-arn tg-1", "delete", Sort.INFRASTRUCTURE, "tg-1"),
        ("az network nsg delete --name front -g shop", "delete", Sort.INFRASTRUCTURE, "front"),
        ("kubectl -n web delete deployment,svc front", "delete", Sort.WORKLOAD, "front"),
        ("kubectl delete deployment/front", "delete", Sort.WORKLOAD, "front"),
        ("heroku domains:remove www.shop.example", "delete", Sort.DNS, "www.shop.example"),
        ("rabbitmqctl purge_queue orders", "purge", Sort.QUEUE, "orders"),
        ("openstack volume snapshot delete monday", "delete", Sort.BACKUP, "monday"),
        ("aws ecr batch-delete-image --repository-name shop", "delete", Sort.INFRASTRUCTURE, "shop"),
        ("Remove-AzStorageAccount -Name shop -Force", "delete", Sort.STORAGE, "shop"),
        ("java -jar jenkins-cli.jar -s http://ci/ delete-job nightly", "delete", Sort.PIPELINE, "nightly"),
    ],
)
def test_a_verb_its_nouns_and_its_target(command: str, verb: str, sort: Sort, target: str) -> None:
    effect = only(command)
    assert (effect.verb, effect.sort, effect.target) == (verb, sort, target)


@pytest.mark.parametrize(
    ("text", "verb", "sort"),
    [
        ("db.dropDatabase()", "delete", Sort.DATABASE),
        ("db.users.deleteMany({});", "delete", Sort.DATABASE),
        ("gateway.subscription.cancel('sub_1')", "cancel", Sort.BILLING),
        ("client.delete_bucket('shop')", "delete", Sort.STORAGE),
    ],
)
def test_what_is_typed_for_a_console(text: str, verb: str, sort: Sort) -> None:
    (effect,) = changed(text)
    assert (effect.verb, effect.sort) == (verb, sort)


@pytest.mark.parametrize("text", ["db.users.deleteMany({age: 3})", "items.remove(3)", "client.delete_object('a')"])
def test_one_record_typed_for_a_console_is_left_alone(text: str) -> None:
    assert not changed(text)


@pytest.mark.parametrize(
    "text", ["a." * 5000 + "drop()", "a(" * 200 + ")" * 200, "db.x.drop(" + "(" * 400 + ")", "é.drop()"]
)
def test_what_looks_like_a_typed_call_takes_no_time(text: str) -> None:
    assert steps(changed, text) < MOST


@pytest.mark.parametrize("tool", ["zonkctl", "./bin/zonk", "acme"])
@pytest.mark.parametrize("line", ["cluster delete blue", "delete cluster blue", "clusters:destroy blue"])
def test_a_tool_that_nobody_listed_speaks_the_same_grammar(tool: str, line: str) -> None:
    effect = only(f"{tool} {line} --force")
    assert (effect.verb, effect.target, effect.forced, effect.listed) == ("delete", "blue", True, False)


@pytest.mark.parametrize(
    "command",
    [
        "zonkctl delete blue",
        "zonkctl thing delete blue",
        "pip uninstall redis postgres",
        "git rm server.py database.py",
        "systemctl stop postgresql nginx",
        "nohup rm -rf cache db",
        "./tools/drop.py database orders",
        "zonkctl tag delete blue",
        "php artisan cache:clear",
    ],
)
def test_what_is_not_known_to_be_a_platform_is_left_alone(command: str) -> None:
    assert not changed(command)


@pytest.mark.parametrize(
    "command",
    [
        "gcloud compute instances describe delete-me",
        "kubectl logs deploy/remove-orders",
        "doctl compute droplet create stop-gap",
        "docker run --rm alpine rm -rf /x",
        "kubectl exec web -- rm -rf /x",
        "aws kms cancel-key-deletion --key-id 1",
        "aws ec2 delete-tags --resources i-1",
        "terraform apply saved.tfplan",
        "helm uninstall shop --dry-run",
        "pulumi destroy --help",
        "aws help",
        "echo terraform destroy",
        "terraform",
        "aws",
        "curl https://api.vercel.com/v9/projects/shop",
        "curl -X DELETE",
        "curl -X DELETE http://localhost:5000/api/databases/1",
        "curl -X DELETE https://api.example.com/clusters/1",
        "gh api repos/acme/shop/actions/runs/7/cancel",
        "java -version",
    ],
)
def test_readings_rehearsals_and_mentions_change_nothing(command: str) -> None:
    assert not changed(command)


@pytest.mark.parametrize(
    ("command", "verb", "sort"),
    [
        ("curl -XDELETE https://api.cloudflare.com/client/v4/zones/1/dns_records/2", "delete", Sort.DNS),
        ("curl --request=DELETE 'https://x-dsn.algolia.net/1/indexes/orders'", "delete", Sort.DATABASE),
        ("http DELETE :9200/orders", "delete", Sort.DATABASE),
        ("wget --method=DELETE https://api.vercel.com/v9/projects/shop", "delete", Sort.INFRASTRUCTURE),
        ("gh api --method POST repos/acme/shop/actions/runs/7/cancel", "stop", Sort.PIPELINE),
        ("curl -d '{}' http://search:9200/orders/_delete_by_query", "delete", Sort.DATABASE),
        ("curl -X DELETE https://zonk.io/v1/clusters/blue", "delete", Sort.INFRASTRUCTURE),
    ],
)
def test_requests_are_read_by_method_and_path(command: str, verb: str, sort: Sort) -> None:
    effect = only(command)
    assert (effect.verb, effect.sort) == (verb, sort)


@pytest.mark.parametrize(
    ("command", "environment"),
    [
        ("AWS_PROFILE=prod aws s3 rb s3://media", Environment.PRODUCTION),
        ("cd live/production && terraform destroy", Environment.PRODUCTION),
        ("aws s3 rb s3://media-staging", Environment.TRIAL),
        ("kubectl --context kind-kind delete ns web", Environment.LOCAL),
        ("aws s3 rb s3://reproducible-builds", Environment.UNKNOWN),
        ("gcloud secrets delete mail --project shop --impersonate-service-account x@dev.example", Environment.UNKNOWN),
        ("kubectl delete ns web --kubeconfig /home/test/dev.yaml", Environment.UNKNOWN),
    ],
)
def test_where_it_acts_is_told_by_names(command: str, environment: Environment) -> None:
    assert only(command).environment is environment


def test_force_is_told_from_a_file() -> None:
    assert not only("docker-compose -f compose.yml down -v").forced
    assert only("terraform destroy -auto-approve").forced


@pytest.mark.parametrize("word", ["deletion", "", "-", "::", "x" * 5000, "\ue000", "Ünïcode-löschen"])
def test_words_that_are_no_verbs(word: str) -> None:
    assert word_of(word).does == ""


def test_nouns_yield_to_what_stands_before_them() -> None:
    assert sort_of(("sql", "instances")) is Sort.DATABASE
    assert sort_of(("compute", "instances")) is Sort.INFRASTRUCTURE
    assert sort_of(("iam", "service", "accounts", "keys")) is Sort.IDENTITY
    assert sort_of(("kms", "keys", "versions")) is Sort.KEY
    assert sort_of(("thing",)) is None
    assert [singular(word) for word in ("policies", "indexes", "buckets", "dns", "access")] == [
        *("policy", "index", "bucket", "dns", "access")
    ]


WORDS = st.sampled_from(
    [*sorted(DESTRUCTIVE_VERBS), *sorted(READS)[:20], *sorted(MAKES)[:20], "db", "--force", "-f", "--", "a/b", "*"]
)


@given(st.sampled_from(sorted(programs().keys() - {"*"})), st.lists(WORDS | st.text(max_size=8), max_size=8))
def test_any_line_of_any_tool_is_read_without_error_and_rehearsed_it_changes_nothing(
    tool: str, words: list[str]
) -> None:
    rehearsed = Action("bash", {"command": [tool, "--help", *words]}, kind="shell")
    for action in (Action("bash", {"command": [tool, *words]}, kind="shell"), rehearsed):
        found = list(effects(action, Context()).of(Act.RESOURCE))
        assert all(isinstance(effect, Resource) and effect.verb in VERBS and effect.target for effect in found)
    if "--" not in words:
        assert not found


def _yaml(name: str) -> dict[str, object]:
    return dict(yaml.safe_load((FOLDER / name).read_text(encoding="utf-8")))


def test_every_name_stands_once() -> None:
    files = [f"programs/{file.name}" for file in sorted((FOLDER / "programs").glob("*.yaml"))]
    for told in (files, ["hosts.yaml"]):
        names = [name for file in told for key in _yaml(file) for name in key.split()]
        assert len(names) == len(set(names))
    nouns = [noun for words in _yaml("nouns.yaml").values() for noun in str(words).split()]
    assert len(nouns) == len(set(nouns))
    assert len(DESTRUCTIVE_VERBS.keys() | READS | MAKES) == len(DESTRUCTIVE_VERBS) + len(READS) + len(MAKES)


def test_every_deed_is_one_that_somebody_judges() -> None:
    lines = [rule for known in (*programs().values(), *hosts().values()) for rule in rules_of(known.rules)]
    assert len(lines) > 500
    assert {rule.verb for rule in lines} <= VERBS
    assert {mark for rule in lines for mark in rule.marks} <= MARKS


@pytest.mark.parametrize(
    "command",
    [
        ["gitlab-rake", "a:backup" * 6000],
        ["aws", *["s3"] * 20000],
        ["kubectl", "delete", "/" * 50000],
        ["kubectl", "-" + "a" * 50000, "delete"],
        ["curl", "-X", "DELETE", "https://api.cloudflare.com/" + "zones/" * 8000],
        ["curl", "-X", "DELETE", "https://" + "es-." * 15000],
        ["zonkctl", "delete", "cluster-" * 7000],
        ["terraform", *["-var=a=b"] * 6000, "destroy"],
    ],
    ids=lambda command: command[0],
)
def test_long_lines_take_no_longer_than_they_are(command: list[str]) -> None:
    def read() -> None:
        list(effects(Action("bash", {"command": command}, kind="shell"), Context()).of(Act.RESOURCE))

    assert steps(read) < MOST


def test_what_a_tool_is_fed_counts_where_it_takes_commands() -> None:
    assert only("echo FLUSHALL | redis-cli").verb == "purge"
    assert not changed("echo 'terraform destroy' | kubectl get pods")
