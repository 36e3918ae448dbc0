"""The tables of the database, as the steps in migrations/ leave them; a test compares the two."""

import sqlalchemy as sa

__all__ = ["browsers", "entries", "holders", "metadata", "settings", "tables"]

NAMES = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ix": "ix_%(table_name)s_%(column_0_name)s",
}

metadata = sa.MetaData(naming_convention=NAMES)

settings = sa.Table(
    "settings",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)
"""What this server made up once: the key of its seats' tokens."""

browsers = sa.Table(
    "browsers",
    metadata,
    sa.Column("browser", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
)
"""How the person at a browser was last called. A browser is known by the SHA-256 of its cookie."""

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("secret", sa.LargeBinary, nullable=False),
    sa.Column("setup", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, index=True),
    sa.Column("updated", sa.Text, nullable=False),
    sa.Column("summary", sa.Text, nullable=False),
)
"""What a table was set up with, never changed; `state`, `updated` and `summary` follow its log, for lists of tables."""

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("request", sa.Text, nullable=True),
    sa.UniqueConstraint("table_id", "request"),
    sqlite_with_rowid=False,
)
"""The log of every table."""

holders = sa.Table(
    "holders",
    metadata,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("browser", sa.Text, primary_key=True, index=True),
    sa.Column("seat", sa.Integer, nullable=True),
    sa.Column("host", sa.Boolean, nullable=False),
)
"""Whose tables are whose, following the log: the seat of a browser at a table, null for a host or guest without one."""
