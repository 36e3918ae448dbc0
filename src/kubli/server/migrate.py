"""Bring a database up to date: the steps are in migrations/versions, one file each, and none is ever changed.

Alembic takes them. It is loaded only when there is a step to take, because that is slow.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

if TYPE_CHECKING:
    from alembic.config import Config

__all__ = ["Newer", "config", "migrate", "steps"]

SCRIPTS = Path(__file__).parent / "migrations"


class Newer(Exception):  # noqa: N818 - a state of the file
    """The database was written by a later Kubli than this one."""


def steps() -> list[str]:
    """The numbers of all steps in order: the beginning of their files' names."""
    return sorted(path.name[:4] for path in (SCRIPTS / "versions").glob("[0-9]*.py"))


def migrate(engine: sa.Engine) -> None:
    """Take every step that this database has not taken yet, in one transaction.

    Raises:
        Newer: it has taken one that this Kubli does not know.
    """
    with engine.begin() as connection:
        at = None
        if sa.inspect(connection).has_table("alembic_version"):
            at = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        if at == steps()[-1]:
            return
        if at is not None and at not in steps():
            raise Newer(at)
        from alembic import command

        command.upgrade(config(connection), "head")


def config(connection: sa.Connection | None = None) -> "Config":
    """Alembic's configuration, without a file: also for `alembic revision` by hand."""
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    made.attributes["connection"] = connection
    return made
