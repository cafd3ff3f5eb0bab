"""The numbers that a command line asks a platform for."""

from __future__ import annotations

import shlex

import pytest

from supervisor.evidence.effects.platforms.capacity import asked_for


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("ec2 run-instances --count 500", 500),
        ("ec2 run-instances --count=10:500", 500),
        ("ec2 run-instances --instance-type p4d.24xlarge --count 8", 8),
        ("eks update-nodegroup-config --scaling-config minSize=1,maxSize=600", 600),
        ("scale deploy web --replicas=5000", 5000),
        ("put-function-concurrency --reserved-concurrent-executions 9000", 9000),
        (f"compute instances create {' '.join(f'w{number}' for number in range(60))}", 60),
        ("ec2 run-instances --count 2", 0),
        ("ec2 run-instances --instance-type m5.large --count 8", 0),
        ("scale deploy web --replicas=12", 0),
        ("describe-instances --max-items 5000", 0),
        ("ec2 run-instances --count", 0),
        ("", 0),
    ],
)
def test_a_number_counts_if_it_is_more_than_usual(line: str, number: int) -> None:
    assert asked_for(tuple(shlex.split(line))) == number
