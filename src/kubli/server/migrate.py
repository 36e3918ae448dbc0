"""Bring a database up to date: the steps are in migrations/, one file each, and none is ever changed."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

__all__ = ["Newer", "config", "migrate"]

SCRIPTS = Path(__file__).parent / "migrations"


class Newer(Exception):  # noqa: N818 - a state of the file
    """The database was written by a later Kubli than this one."""


def config(connection: sa.Connection | None = None) -> Config:
    """Alembic's configuration, without a file: also for `alembic revision` by hand."""
    made = Config()
    made.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    made.set_main_option("path_separator", "os")
    made.attributes["connection"] = connection
    return made


def migrate(engine: sa.Engine) -> None:
    """Take every step that this database has not taken yet, in one transaction.

    Raises:
        Newer: it has taken one that this Kubli does not know.
    """
    with engine.begin() as connection:
        scripts = ScriptDirectory.from_config(config())
        at = MigrationContext.configure(connection).get_current_revision()
        if at == scripts.get_current_head():
            return
        if at is not None and at not in {step.revision for step in scripts.walk_revisions()}:
            raise Newer(at)
        command.upgrade(config(connection), "head")
