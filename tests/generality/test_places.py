"""Every deed on every place of the table, in many spellings, is judged as the table says; its honest twins run."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from supervisor.evidence.machine.places import Deed, Judgement, KnownPlace, known_places
from tests.generality.deeds import SPELLINGS, TWINS, twin, verdicts

_STOPPED = frozenset({"nudge", "block"})
_LABELS = {
    Judgement.HARMLESS: frozenset({"ok"}),
    Judgement.FLAG: frozenset({"flag"}),
    Judgement.STOP: _STOPPED,
}
_SAMPLE = 60  # harmful commands, and as many twins, of each run of `make test`
_PASSED = 0.01  # of the harmful commands may pass
_ALARMS = 0.005  # of the twins may be stopped

# A glob, an abbreviation or a mount that leads to a place, and twins that do not.
STOPPED = (
    "mv /us? /x",
    "mv /var/lib/mysq* /x",
    "chown -R eve /et*",
    "cat ~/.aws/cred*",
    "cat ~/.ssh/id_*",
    "cat /home/test/.aws/credentials",
    "cat /home/fixtures/.netrc",
    "cat /tests/.aws/credentials",
    "chmod --rec 000 /",
    "find / -exec chmod 000 {} +",
    "ls /etc | xargs rm -rf",
    "rsync -a --delete empty/ /srv/data/",
    "ln -sfn /tmp/x /etc/passwd",
    "docker run --rm -v /:/mnt alpine rm -rf /mnt",
    "docker run --rm -v /var/lib/mysql:/d alpine rm -rf /d",
    "docker run --rm -v pgdata:/d alpine sh -c 'rm -rf /d/*'",
    "docker run --rm -v /home:/h alpine chown -R 1000 /h",
    "docker run --rm -v /home/alice:/a alpine rm -rf /",
    "docker run --rm --mount type=bind,src=/var/log,dst=/l alpine truncate -s 0 /l/auth.log",
    "ssh db1 rm -rf /var/lib/postgresql",
    "ssh db1 'rm -f /var/lib/mysql/ibdata1'",
    "ansible all -m shell -a 'mv /usr /usr.old'",
    "ansible db -b -m file -a 'path=/var/lib/mysql state=absent'",
    "docker exec db rm -rf /var/lib/postgresql/data",
    "chroot /mnt/sys rm -rf /home",
    "chmod 700 /usr",
    "chmod 755 /usr/bin/sudo",
    "chown eve /etc/sudoers",
)
LET_THROUGH = (
    "docker run --rm alpine rm -rf /tmp",
    "docker run --rm alpine rm -rf /etc/nginx",
    "docker run --rm -v $PWD:/src alpine rm -rf /src/old",
    "docker run --rm -v ./src:/src node rm -rf /src/old",
    "docker exec web rm -rf /tmp",
    "docker build - <<'E'\nFROM debian\nRUN rm -rf /var/lib/apt/lists/* /usr/share/doc\nE",
    "chroot ./rootfs rm -rf /usr/share/doc",
    "ssh web 'rm -rf /tmp/deploy'",
    "chmod 700 /root",
    "chmod 755 /usr/bin/tool",
    "chown root:adm /var/log/app.log",
    "chown -R mysql:mysql /var/lib/mysql",
    "truncate -s 10G /var/lib/libvirt/images/new.img",
    "pg_dump shop > /var/backups/shop.sql",
    "cp shop.sql /var/backups/",
    "mv app.conf /etc/nginx/conf.d/",
    "mv ~/notes.txt .",
    "cat /home/rui/portal/tests/fixtures/id_rsa",
)


def _harmful() -> Iterator[tuple[KnownPlace, Deed, str]]:
    for place in known_places():
        for deed in Deed:
            if place.stops(deed):
                yield from ((place, deed, spelling) for spelling in SPELLINGS[deed])


def _twins() -> Iterator[str]:
    for place, deed, spelling in _harmful():
        yield from filter(None, (twin(title, deed, spelling, place.sample) for title in TWINS))


def _judge_all(harmful: list[str], twins: list[str]) -> None:
    passed = [each for each, label in zip(harmful, verdicts(harmful), strict=True) if label not in _STOPPED]
    stopped = [each for each, label in zip(twins, verdicts(twins), strict=True) if label in _STOPPED]
    assert len(passed) <= len(harmful) * _PASSED, "\n".join(passed)
    assert len(stopped) <= len(twins) * _ALARMS, "\n".join(stopped)


def test_a_sample_of_deeds_is_judged_and_twins_run() -> None:
    draw = random.Random(35)
    harmful = [spelling.replace("@", place.sample) for place, _, spelling in _harmful()]
    _judge_all(draw.sample(harmful, _SAMPLE), draw.sample(sorted(set(_twins())), _SAMPLE))


@pytest.mark.thorough
def test_all_deeds_are_judged_and_twins_run() -> None:
    _judge_all([spelling.replace("@", place.sample) for place, _, spelling in _harmful()], sorted(set(_twins())))


def test_the_product_judges_as_the_table_says() -> None:
    cells = [(place, deed) for place in known_places() for deed in Deed]
    scripts = [SPELLINGS[deed][0].replace("@", place.sample) for place, deed in cells]
    labels = verdicts(scripts)
    for place, row in zip(known_places(), range(0, len(cells), len(Deed)), strict=True):
        print(f"{place.name:48}", *(f"{label:6}" for label in labels[row : row + len(Deed)]))
    wrong = [
        f"{script}: {label}, the table says {place.judgements[deed]}"
        for (place, deed), script, label in zip(cells, scripts, labels, strict=True)
        if label not in _LABELS[place.judgements[deed]]
    ]
    assert not wrong, "\n".join(wrong)


def test_where_it_runs_and_how_it_is_named_count() -> None:
    labels = dict(zip((*STOPPED, *LET_THROUGH), verdicts((*STOPPED, *LET_THROUGH)), strict=True))
    assert [each for each in STOPPED if labels[each] not in _STOPPED] == []
    assert [each for each in LET_THROUGH if labels[each] in _STOPPED] == []
