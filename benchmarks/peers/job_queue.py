"""Another queue, in its own environment: adds jobs, or is a worker.

    python -I job_queue.py NAME add URL JOBS SECONDS
    python -I job_queue.py NAME work URL FOLDER SLOTS SILENCE

A job writes `begin` and `end` with its number and the time to FOLDER/PID.trace, and sleeps in between. After SILENCE
seconds without a sign of life, a worker's jobs are another's: pgqueuer does that by itself; procrastinate has functions
for it, which its documentation tells one to call again and again.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

EVERY = 1.0  # seconds between two looks for workers that are gone, where that is left to us


async def do(say: Callable[[str], None], number: int, seconds: float) -> None:
    say(f"begin {number} {time.monotonic()}\n")
    await asyncio.sleep(seconds)
    say(f"end {number} {time.monotonic()}\n")


def teller(folder: str) -> Callable[[str], None]:
    file = os.open(Path(folder) / f"{os.getpid()}.trace", os.O_APPEND | os.O_CREAT | os.O_WRONLY)

    def say(line: str) -> None:
        os.write(file, line.encode())

    return say


async def pgqueuer_add(url: str, jobs: int, seconds: float) -> None:
    import asyncpg
    from pgqueuer.db import AsyncpgDriver
    from pgqueuer.queries import Queries

    connection = await asyncpg.connect(url)
    queries = Queries(AsyncpgDriver(connection))
    await queries.install()
    await queries.enqueue(["job"] * jobs, [f"{number} {seconds}".encode() for number in range(jobs)], [0] * jobs)
    await connection.close()


async def pgqueuer_work(url: str, say: Callable[[str], None], slots: int, silence: float) -> None:
    import asyncpg
    from pgqueuer import PgQueuer

    async with asyncpg.create_pool(url) as pool:
        queue = PgQueuer.from_asyncpg_pool(pool)

        @queue.entrypoint("job")
        async def job(given: object) -> None:
            number, seconds = given.payload.decode().split()  # type: ignore[attr-defined]
            await do(say, int(number), float(seconds))

        await queue.run(
            dequeue_timeout=timedelta(seconds=1),
            batch_size=max(1, slots // 2),  # it wants at least two batches
            max_concurrent_tasks=slots,
            heartbeat_timeout=timedelta(seconds=silence),
        )


def _procrastinate(url: str, say: Callable[[str], None]) -> object:
    import procrastinate

    app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=url))

    @app.task(name="job")
    async def job(number: int, seconds: float) -> None:
        await do(say, number, seconds)

    return app


async def procrastinate_add(url: str, jobs: int, seconds: float) -> None:
    app = _procrastinate(url, print)
    async with app.open_async():  # type: ignore[attr-defined]
        await app.schema_manager.apply_schema_async()  # type: ignore[attr-defined]
        given = [{"number": number, "seconds": seconds} for number in range(jobs)]
        await app.configure_task("job").batch_defer_async(*given)  # type: ignore[attr-defined]


async def procrastinate_work(url: str, say: Callable[[str], None], slots: int, silence: float) -> None:
    app = _procrastinate(url, say)

    async def rescue() -> None:
        while True:
            await asyncio.sleep(EVERY)
            manager = app.job_manager  # type: ignore[attr-defined]
            for job in await manager.get_stalled_jobs(seconds_since_heartbeat=silence):
                await manager.retry_job(job)

    async with app.open_async():  # type: ignore[attr-defined]
        rescuing = asyncio.create_task(rescue())
        await app.run_worker_async(  # type: ignore[attr-defined]
            concurrency=slots, update_heartbeat_interval=EVERY, stalled_worker_timeout=silence
        )
        rescuing.cancel()


def main(name: str, verb: str, url: str, *more: str) -> None:
    if verb == "add":
        add = {"pgqueuer": pgqueuer_add, "procrastinate": procrastinate_add}[name]
        asyncio.run(add(url, int(more[0]), float(more[1])))
    else:
        work = {"pgqueuer": pgqueuer_work, "procrastinate": procrastinate_work}[name]
        asyncio.run(work(url, teller(more[0]), int(more[1]), float(more[2])))


if __name__ == "__main__":
    main(*sys.argv[1:])
