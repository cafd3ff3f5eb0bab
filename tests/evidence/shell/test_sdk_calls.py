"""Calls of SDKs as the command lines that say the same: what they are called on is followed, what hides is left out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.evidence.javascript import read as read_javascript
from supervisor.evidence.python import read
from supervisor.evidence.python.chains import chain_of
from supervisor.evidence.reading.paths import HOLE
from supervisor.evidence.shell.javascript_calls import commands_of_program
from supervisor.evidence.shell.sdk_calls import commands_of_sdks

AWS = "import boto3\n"


def lines(code: str) -> list[str]:
    return [" ".join(inner.argv) for inner in commands_of_sdks(read(code))]


@pytest.mark.parametrize(
    "code",
    [
        "boto3.client('s3').delete_bucket(Bucket='x')",
        "s3 = boto3.client('s3')\ns3.delete_bucket(Bucket='x')",
        "name = 'x'\nkind = 's3'\ns3 = boto3.client(kind)\ns3.delete_bucket(Bucket=name)",
        "s3 = boto3.Session().client(service_name='s3')\nanswer = s3.delete_bucket(Bucket='x')",
        "class A:\n    def __init__(self):\n        self.s3 = boto3.client('s3')\n"
        "    def clean(self):\n        self.s3.delete_bucket(Bucket='x')",
        "def connect(kind):\n    return boto3.client(kind)\ns3 = connect('s3')\ns3.delete_bucket(Bucket='x')",
        "def clean(s3):\n    s3.delete_bucket(Bucket='x')\nclean(boto3.client('s3'))",
        "async def f():\n    async with boto3.client('s3') as s3:\n        await s3.delete_bucket(Bucket='x')",
        "for s3 in [boto3.client('s3')]:\n    pass\ns3 = boto3.client('s3')\nprint(s3.delete_bucket(Bucket='x'))",
    ],
)
def test_what_a_call_is_made_on_is_followed(code: str) -> None:
    assert "aws s3api delete-bucket --bucket x" in lines(AWS + code)


@pytest.mark.parametrize(
    ("code", "line"),
    [
        (
            "boto3.client('rds').delete_db_instance(DBInstanceIdentifier='x', SkipFinalSnapshot=True)",
            "aws rds delete-db-instance --db-instance-identifier x --skip-final-snapshot",
        ),
        ("boto3.client('ec2').stop_instances(InstanceIds=['a', 'b'])", "aws ec2 stop-instances --instance-ids a b"),
        ("boto3.client('ec2').stop_instances(InstanceIds=ids)", f"aws ec2 stop-instances --instance-ids {HOLE}"),
        ("boto3.resource('s3').Bucket('x').objects.all().delete()", "aws s3 rm s3://x --recursive"),
        ("boto3.resource('s3').Object('x', 'k').delete()", "aws s3api delete-object --object k"),
        ("boto3.resource('dynamodb').Table('x').delete()", "aws dynamodb delete-table --table-name x"),
        ("boto3.client('s3', endpoint_url='http://localhost:4566').delete_bucket(Bucket='x')",
         "aws s3api delete-bucket --bucket x --endpoint-url=http://localhost:4566"),
        ("boto3.client('rds').modify_db_instance(MasterUserPassword='hunter2', DBInstanceIdentifier='x')",
         f"aws rds modify-db-instance --master-user-password {HOLE} --db-instance-identifier x"),
    ],
)  # fmt: skip
def test_arguments_are_options_and_secrets_are_left_out(code: str, line: str) -> None:
    assert lines(AWS + code) == [line]


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("from kubernetes import client\nclient.CoreV1Api().delete_namespaced_secret('a', 'ns')",
         "kubectl delete secret a -n ns"),
        ("from kubernetes import client as c\nc.CoreV1Api().delete_collection_namespaced_pod('ns')",
         "kubectl delete pod --all -n ns"),
        ("import docker\nd = docker.from_env()\nd.containers.get('a').remove(force=True)", "docker container rm -f a"),
        ("import docker\nd = docker.APIClient()\nd.remove_volume('a')", "docker volume rm a"),
        ("from google.cloud import storage\nstorage.Client().bucket('a').delete()", "gcloud storage bucket delete a"),
        ("from github import Github\nfor r in Github(t).get_user().get_repos():\n    r.delete()",
         f"gh repo delete {HOLE} --yes"),
        ("import gitlab\ngl = gitlab.Gitlab(u)\ngl.projects.delete('a/b')", "glab repo delete a/b --yes"),
        ("from pymongo import MongoClient\nMongoClient()['a']['b'].drop()", "mongosh --eval db.b.drop()"),
        ("from elasticsearch import Elasticsearch\nEs = Elasticsearch('http://a:b@c:9200')\nEs.indices.delete(index='*')",
         "curl -X DELETE http://c:9200/*"),
        ("import redis\nredis.from_url('redis://x').flushdb()", "redis-cli flushdb"),
        ("from pulumi import automation as auto\nauto.select_stack('a').destroy()", "pulumi destroy --yes"),
    ],
)  # fmt: skip
def test_every_platform_says_it_in_its_tools_words(code: str, line: str) -> None:
    assert line in lines(code)


@pytest.mark.parametrize(
    "code",
    [
        "s3.delete_bucket(Bucket='x')",  # of which nobody knows what it is
        "import boto3\nfrom moto import mock_aws\nboto3.client('s3').delete_bucket(Bucket='x')",
        "import boto3\nprint(\"boto3.client('s3').delete_bucket(Bucket='x')\")",
        "import boto3\ndef clean(s3):\n    s3.delete_bucket(Bucket='x')",
        "import docker\nc = docker.from_env().containers.run('a')\nc.remove(force=True)",
        "import redis\nredis.Redis().delete('a')",
        "from pymongo import MongoClient\nMongoClient().a.b.delete_many({'c': 1})",
    ],
)
def test_what_is_unknown_own_or_a_stand_in_says_nothing(code: str) -> None:
    assert lines(code) == []


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("import { S3Client, DeleteBucketCommand } from '@aws-sdk/client-s3';\n"
         "await new S3Client({}).send(new DeleteBucketCommand({ Bucket: 'x' }));",
         "aws s3api delete-bucket --bucket x"),
        ("const { EC2Client, TerminateInstancesCommand: End } = require('@aws-sdk/client-ec2');\n"
         "c.send(new End({ InstanceIds: ['a', id], DryRun: true }))",
         f"aws ec2 terminate-instances --instance-ids a {HOLE} --dry-run"),
        ("import { MongoClient } from 'mongodb';\nawait new MongoClient(u).db('a').dropDatabase()",
         "mongosh --eval db.dropDatabase()"),
        ("import Redis from 'ioredis';\nconst r = new Redis(u);\nawait r.flushall()", "redis-cli flushall"),
    ],
)  # fmt: skip
def test_javascript_says_it_too(code: str, line: str) -> None:
    assert line in [" ".join(inner.argv) for inner in commands_of_program(read_javascript(code))]


@pytest.mark.parametrize(
    "code",
    [
        "import { mockClient } from 'aws-sdk-client-mock';\nimport { DeleteBucketCommand } from '@aws-sdk/client-s3';\n"
        "new DeleteBucketCommand({ Bucket: 'x' })",
        "import { DeleteMessageCommand } from '@aws-sdk/client-sqs';\nnew DeleteMessageCommand({ QueueUrl: u })",
        "const m = new Map();\nm.drop(); m.flushall(); m.deleteMany({})",
        "import { MongoClient } from 'mongodb';\nc.collection('a').deleteMany({ b: 1 })",
    ],
)
def test_javascript_at_work_or_in_a_test_says_nothing(code: str) -> None:
    assert list(commands_of_program(read_javascript(code))) == []


def test_a_name_that_is_given_itself_ends() -> None:
    module = read("import boto3\ns3 = s3\na = b\nb = a\ns3.delete_bucket()\na.x.y.delete()")
    assert all(not chain_of(call) for call in module.calls)


@settings(max_examples=80)
@given(
    st.lists(
        st.sampled_from(["boto3", ".", "client('s3')", "\n", "a", " = ", "(", ")", "['k']", "delete_x", "for a in "])
    )
)
def test_any_code_is_read_without_a_crash(parts: list[str]) -> None:
    for inner in commands_of_sdks(read(AWS + "".join(parts))):
        assert all(inner.argv)


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("import stripe\nstripe.Customer.delete('cus_1')", "stripe customer delete cus_1"),
        ("import stripe\nc = stripe.StripeClient('k')\nc.customers.delete('cus_1')", "stripe customers delete cus_1"),
        ("import meilisearch\nmeilisearch.Client('u').index('m').delete()", "meilisearch index delete m"),
        ("from pinecone import Pinecone\nPinecone().Index('x').delete(delete_all=True)", "pinecone index delete --all"),
        ("from datadog import api\napi.Monitor.delete(3)", "datadog monitor delete 3"),
    ],
)
def test_services_speak_the_grammar_of_their_tools(code: str, line: str) -> None:
    assert lines(code) == [line]


@pytest.mark.parametrize(
    "code",
    [
        "import meilisearch\nmeilisearch.Client('u').index('m').delete_document(3)",
        "from pinecone import Pinecone\nPinecone().Index('x').delete(ids=['a'])",
        "import stripe\nstripe.api_key = 'k'\nstripe.Customer.create(email='a@example.org')",
        "stripe.Customer.delete('cus_1')",
    ],
)
def test_records_of_services_and_what_is_not_imported_are_left_alone(code: str) -> None:
    assert lines(code) == []


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("const stripe = require('stripe')(key); await stripe.customers.del('cus_1')", ["stripe customers del cus_1"]),
        ("import { Pinecone } from '@pinecone-database/pinecone'; new Pinecone().deleteIndex('x')",
         ["pinecone delete-index x"]),
        ("const stripe = document.querySelector('.stripe'); stripe.classList.remove('wide')", []),
        ("square.pieces.remove('pawn')", []),
        ("import { Storage } from '@google-cloud/storage'; await new Storage().bucket('x').delete()",
         ["gcloud bucket delete"]),
        ("import { Storage } from '@google-cloud/storage'; await new Storage().bucket('x').file('a').delete()", []),
        ("const typesense = require('typesense'); const c = new typesense.Client({});"
         " c.collections('x').documents('1').delete()", []),
    ],
)  # fmt: skip
def test_services_in_javascript(code: str, told: list[str]) -> None:
    assert [" ".join(inner.argv) for inner in commands_of_program(read_javascript(code))] == told
