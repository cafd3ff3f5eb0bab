"""`supervisor serve --console`: pages on which people judge decisions."""

from __future__ import annotations

import logging
from pathlib import Path

from supervisor.errors import BadInput

PORT = 8651
_EXTRA = "the console needs {}: pip install 'supervisor-guard[console]'"


def serve_console(policy: Path | None, records: Path | None, port: int | None, token: Path, runtime: str) -> None:
    """Serves the console of a deployment on 127.0.0.1 until it is ended. `runtime` is the URL of the database of tasks;
    "" is the usual one. Raises BadInput if a package of it is not
    there, and what opening the deployment and its index raises."""
    try:
        from supervisor.service.console.running import run_console
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in (
            "alembic",
            "jinja2",
            "markupsafe",
            "sqlalchemy",
            "starlette",
            "uvicorn",
        ):
            raise
        raise BadInput(_EXTRA.format(error.name), place="--console", code="missing_extra") from None
    from supervisor.cli.deployment import Deployment, must_be_here
    from supervisor.cli.index import index_url
    from supervisor.cli.output import console, styled
    from supervisor.cli.review import login_name
    from supervisor.service.console.desk import Deployed
    from supervisor.service.places import on_port, token_in

    must_be_here()
    logging.basicConfig(format="%(asctime)s supervisor: %(message)s", level=logging.WARNING)
    deployment = Deployment.of(policy, records)
    deployed = Deployed(deployment.policy, deployment.records, deployment.signer(), index_url(), runtime)
    secret, wanted = token_in(token), PORT if port is None else port
    listener = on_port(wanted, None)
    if listener is None:
        raise BadInput("a console needs a port", place="--port", code="usage")
    with listener:
        at = f"http://127.0.0.1:{listener.getsockname()[1]}/"

        def ready() -> None:
            told = f"the console of {deployed.records} is at {styled(at, 'bold')}, and its token in {token}"
            console(error=True).print(told)

        run_console(deployed, listener, secret, login_name(), ready)
