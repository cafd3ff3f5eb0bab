"""A marked secret that goes through a whole deployment stands in no byte that it writes."""

import contextlib

from supervisor import Supervisor
from supervisor.action import Context
from supervisor.policy import Policy, Records

SECRET = "k9" + "#Xq!zV" + "7w$Lm"


def test_no_record_refusal_or_decision_tells_a_secret(tmp_path):
    policy = Policy(records=Records(str(tmp_path / "records"), str(tmp_path / "key.pem")), isolation="none")
    with contextlib.closing(Supervisor(policy)) as guard:
        told = []
        for command in (f"mysql -uroot -p'{SECRET}' app", f"export DB_PASSWORD='{SECRET}'; rm -rf /"):
            action = guard.action("bash", {"command": command})
            context = Context(f"The password is {SECRET}", facts={"db_password": SECRET})
            told.append(repr(guard.decide_from_thread(action, context)))
            guard.observe(None, action, f"PGPASSWORD={SECRET}\nok", context=context)
    assert SECRET not in "".join(told)
    written = [path.read_bytes() for path in (tmp_path / "records").rglob("*") if path.is_file()]
    assert written
    assert not any(SECRET.encode() in content for content in written)
