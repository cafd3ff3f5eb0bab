"""DBOS, as the runtime uses it: one queue a pool, one a worker, and attempts that are its workflows."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from supervisor.runtime.store.database import NoRuntime, Store
from supervisor.runtime.store.enqueuing import Enqueued, queue_of

if TYPE_CHECKING:
    from dbos import DBOSClient, DBOSConfig, EnqueueOptions
    from sqlalchemy import Connection

NAME = "supervisor-runtime"
WORKFLOW = "attempt"
VERSION = "1"  # of the steps of a workflow: attempts of another version are left to executors of that version
_SCHEMA = "dbos"  # in PostgreSQL
_POLL = 0.1  # seconds between two looks at a queue
_POOL_SIZE = 8  # connections of the engine's own
_FROZEN = 5.0  # seconds after which PostgreSQL ends a transaction whose process does not go on
_ENDED = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")


def _import_dbos() -> Any:
    try:
        import dbos
    except ImportError:
        missing = "the runtime needs DBOS: pip install 'supervisor-guard[runtime]'"
        raise NoRuntime(missing, code="missing_extra") from None
    logging.getLogger("dbos").setLevel(logging.WARNING)
    return dbos


def url_of(store: Store) -> str:
    """The URL of the database, as DBOS wants it."""
    return store.engine.url.render_as_string(hide_password=False)


def prepare(store: Store) -> None:
    """Creates or migrates the engine's own tables. Raises NoRuntime."""
    _import_dbos().DBOS.migrate(url_of(store), schema=_SCHEMA)


class Queue:
    """Hands attempts to the engine, from a process that need not run any."""

    def __init__(self, store: Store) -> None:
        dbos = _import_dbos()
        self._client: DBOSClient = dbos.DBOSClient(
            system_database_engine=store.engine,
            dbos_system_schema=_SCHEMA,
            serializer=dbos.DBOSPortableJSONSerializer(),
            application_name=NAME,
            lazy=True,
        )

    def __call__(self, connection: Connection, enqueued: Enqueued) -> None:
        """Enqueues an attempt as part of the caller's transaction."""
        options: EnqueueOptions = {
            "workflow_name": WORKFLOW,
            "queue_name": enqueued.queue,
            "workflow_id": enqueued.workflow,
            "app_version": VERSION,
            "priority": enqueued.priority + 1,  # the engine's most urgent is 1
        }
        if enqueued.delay > 0:
            options["delay_seconds"] = enqueued.delay
        self._client.enqueue_in_transaction(connection, options, enqueued.task, enqueued.number)


class Engine:
    """The engine inside an executor: it takes attempts from the queues of a pool and of a worker, and runs them in
    threads of this process. There is one in a process."""

    def __init__(self, store: Store, executor: str, pool: str, worker: str, slots: int) -> None:
        self._dbos = _import_dbos().DBOS
        self._queues = (queue_of(pool), queue_of(pool, worker))
        self._slots = slots
        self._dbos(config=_config(url_of(store), executor))

    def launch(self) -> None:
        """Begins to take attempts."""
        self._dbos.listen_queues(self._queues)
        self._dbos.launch()
        for name in self._queues:
            self._dbos.register_queue(
                name, worker_concurrency=self._slots, polling_interval_sec=_POLL, on_conflict="always_update"
            )

    def recover(self, alive: Callable[[], Collection[str]]) -> int:
        """Puts what executors that are not alive have left back into its queue. Returns how many attempts that were.
        Who is alive is asked after what runs: an executor is registered before it runs anything.

        Any executor may do so at any time, and several at once: each is put back only as long as it belongs to one that
        is dead. This is DBOS's own recovery, which only its paid service calls for other executors.
        """
        running = self._dbos.list_workflows(status="PENDING", load_input=False, load_output=False)
        dead = {flow.executor_id for flow in running} - set(alive() if running else ())
        return len(self._dbos._recover_pending_workflows(sorted(dead))) if dead else 0

    def ended(self, workflows: Collection[str]) -> set[str]:
        """Those of these workflows that the engine will not run any more, or does not know."""
        found = self._dbos.list_workflows(workflow_ids=list(workflows), load_input=False, load_output=False)
        return set(workflows) - {flow.workflow_id for flow in found if flow.status not in _ENDED}

    def close(self, seconds: int) -> None:
        """Takes no more attempts, and waits so long at most for those that run."""
        self._dbos.destroy(workflow_completion_timeout_sec=seconds)


def _config(url: str, executor: str) -> DBOSConfig:
    dbos = _import_dbos()
    return {
        "name": NAME,
        "system_database_url": url,
        "dbos_system_schema": _SCHEMA,
        "sys_db_pool_size": _POOL_SIZE,
        "sys_db_idle_transaction_timeout_sec": _FROZEN,
        "executor_id": executor,
        "application_version": VERSION,
        "serializer": dbos.DBOSPortableJSONSerializer(),  # its own one would be pickle
        "use_listen_notify": False,
        "log_level": "WARNING",
        "run_migrations": False,
    }
