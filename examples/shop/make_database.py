"""Makes shop.db from shop.sql, beside this file."""

import sqlite3
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).parent


def make(file: Path) -> None:
    """Fills a new database with the shop's tables and a few rows."""
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as database:
        database.executescript((HERE / "shop.sql").read_text())
        database.commit()


if __name__ == "__main__":
    make(HERE / "shop.db")
