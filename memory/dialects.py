"""Where databases differ in their SQL: one value for each family, and nothing about it anywhere else.

Three of them have their own way to say what an operation needs: SQLite, PostgreSQL, and MySQL with its
relative MariaDB. Columns of ours hold text byte for byte, so that `Abc` and `abc`, and an id with and one
without a trailing blank, are different sessions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one family of databases says it. `{}` stands for a column or a parameter."""

    name: str
    quotes: str  # what stands around a name
    number: str  # types of columns
    decimal: str
    text: str
    name_text: str  # a text that is a key
    status_text: str  # one short word
    place_text: str  # a text that sorts by its bytes
    time: str
    now: str
    serial: str  # a primary key that counts up and is never used again
    sdk_serial: str  # the same as the SDK makes it
    counter: str  # a primary key that counts up
    unordered: str  # what follows a table that has no row numbers of its own
    raw: str  # the stored text of a column as UTF-8 bytes
    at: str  # a time column as text that sorts like the times, and back
    from_at: str
    utc: str  # a time column as text in UTC, and back
    from_utc: str
    latest: str  # the function that gives the greatest of its values
    contains: str  # whether a text column holds a word
    marked: str  # a time as text and the id behind it, with a tab between them
    insert_new: str  # what inserts rows, and leaves out those whose id is taken
    unless_there: str
    repeated: str  # what an INSERT does where the key is taken: "{}" stands for the key
    for_update: str  # what makes a SELECT wait for other writers of its rows
    in_order: str  # the columns of an index that gives a session's rows in order, without sorting
    present: str  # which of the tables `:names` exist
    returning: bool  # whether an INSERT can return its ids
    row_values: bool  # whether an index is followed for pairs that are compared as a whole
    moves: bool  # whether one statement can delete rows and insert them elsewhere
    upsert: str  # what makes an INSERT of a session that is there touch it
    index_apart: bool  # whether CREATE INDEX knows IF NOT EXISTS
    colon: str = ":"  # how a colon in a name is kept from being taken for a parameter

    def quote(self, name: str) -> str:
        """A table name as SQL takes it. Raises ValueError for one that is empty or holds a NUL."""
        if not name or "\x00" in name:
            raise ValueError(f"{name!r} is no name for a table.")
        doubled = name.replace(self.quotes, self.quotes * 2).replace(":", self.colon)
        return self.quotes + doubled + self.quotes

    def or_else(self, key: str, changes: str) -> str:
        """What an INSERT changes in the row that has its key already."""
        return f"{self.repeated.format(key)} {changes}"

    def create(
        self, table: str, columns: str, *, key: str = "", index: tuple[str, str] | None = None
    ) -> tuple[str, ...]:
        """The statements that make a table; `table` is quoted, `index` is (plain name, columns)."""
        parts = [columns]
        after = ""
        if key:
            parts.append(f"PRIMARY KEY ({key})")
            after = self.unordered
        if index and not self.index_apart:
            parts.append(f"INDEX {self.quote(index[0])} ({index[1]})")
        made = f"CREATE TABLE IF NOT EXISTS {table} ({', '.join(parts)}){after}"
        if not index or not self.index_apart:
            return (made,)
        return (made, f"CREATE INDEX IF NOT EXISTS {self.quote(index[0])} ON {table} ({index[1]})")


SQLITE = Dialect(
    name="sqlite",
    quotes='"',
    number="INTEGER",
    decimal="REAL",
    text="TEXT",
    name_text="TEXT",
    status_text="TEXT",
    place_text="TEXT",
    time="TIMESTAMP",
    now="CURRENT_TIMESTAMP",
    serial="INTEGER PRIMARY KEY AUTOINCREMENT",
    sdk_serial="INTEGER PRIMARY KEY AUTOINCREMENT",
    counter="INTEGER PRIMARY KEY",
    unordered=" WITHOUT ROWID",
    raw="CAST({} AS BLOB)",
    at="CAST({} AS TEXT)",
    from_at=":{}",
    utc="CAST({} AS BLOB)",  # another program may have left bytes there that are no text
    from_utc=":{}",
    latest="max",
    contains="instr({}, :{}) > 0",
    marked="{} || char(9) || id",
    insert_new="INSERT INTO",
    unless_there=" ON CONFLICT (id) DO NOTHING",
    repeated="ON CONFLICT ({}) DO UPDATE SET",
    for_update="",
    in_order="session_id, created_at",
    present="SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
    "AND name IN (SELECT value FROM json_each(:names))",
    returning=True,
    row_values=False,
    moves=False,
    upsert="ON CONFLICT (session_id) DO UPDATE SET updated_at = CURRENT_TIMESTAMP",
    index_apart=True,
)

POSTGRESQL = Dialect(
    name="postgresql",
    quotes='"',
    number="BIGINT",
    decimal="DOUBLE PRECISION",
    text="TEXT",
    name_text="VARCHAR",
    status_text="VARCHAR",
    place_text='VARCHAR COLLATE "C"',
    time="TIMESTAMP",
    now="CURRENT_TIMESTAMP",
    serial="BIGSERIAL PRIMARY KEY",
    sdk_serial="SERIAL PRIMARY KEY",
    counter="BIGSERIAL PRIMARY KEY",
    unordered="",
    raw="convert_to({}, 'UTF8')",
    at="to_char({}, 'YYYY-MM-DD HH24:MI:SS.US')",
    from_at="CAST(:{} AS timestamp)",
    utc="to_char({} AT TIME ZONE current_setting('TimeZone') AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')",
    from_utc="CAST(CAST(:{} || '+00' AS timestamptz) AS timestamp)",
    latest="greatest",
    contains="strpos({}, :{}) > 0",
    marked="{} || chr(9) || id",
    insert_new="INSERT INTO",
    unless_there=" ON CONFLICT (id) DO NOTHING",
    repeated="ON CONFLICT ({}) DO UPDATE SET",
    for_update=" FOR UPDATE",
    in_order="session_id, created_at, id",
    present="SELECT relname FROM pg_catalog.pg_class WHERE pg_catalog.pg_table_is_visible(oid) "
    "AND relname IN (SELECT json_array_elements_text(CAST(:names AS json)))",
    returning=True,
    row_values=True,
    moves=True,
    # The time is read when the row is locked, and never goes back: the transaction's own may be older.
    upsert="ON CONFLICT (session_id) DO UPDATE SET updated_at = "
    "greatest({sessions}.updated_at, CAST(clock_timestamp() AS timestamp))",
    index_apart=True,
)

DIGITS = 18
"""Digits of a time in MySQL: microseconds since 1970."""

MYSQL = Dialect(
    name="mysql",
    quotes="`",
    number="BIGINT",
    decimal="DOUBLE",
    text="LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
    # Bytes, because every collation that both servers know ignores trailing blanks.
    name_text="VARBINARY(2800)",
    status_text="VARCHAR(20) CHARACTER SET ascii",
    place_text="VARCHAR(190) CHARACTER SET ascii COLLATE ascii_bin",
    time="TIMESTAMP(6) NULL",
    now="CURRENT_TIMESTAMP(6)",
    serial="BIGINT AUTO_INCREMENT PRIMARY KEY",
    sdk_serial="BIGINT AUTO_INCREMENT PRIMARY KEY",
    counter="BIGINT AUTO_INCREMENT PRIMARY KEY",
    unordered="",
    raw="CAST(CONVERT({} USING utf8mb4) AS BINARY)",
    at=f"LPAD(CAST(FLOOR(UNIX_TIMESTAMP({{}}) * 1000000) AS CHAR), {DIGITS}, '0')",
    from_at="FROM_UNIXTIME(CAST(:{} AS DECIMAL(20)) * 0.000001)",
    utc="DATE_FORMAT(FROM_UNIXTIME(0) + INTERVAL UNIX_TIMESTAMP({}) SECOND, '%Y-%m-%d %H:%i:%s.%f')",
    # Its times go from 1970 to 2038; what lies beyond is brought to the nearest of them.
    from_utc="FROM_UNIXTIME(greatest(1, least(2147483647, "
    "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', :{}) * 0.000001)))",
    latest="greatest",
    contains="locate(:{1}, {0}) > 0",
    marked="concat({}, char(9), id)",
    insert_new="INSERT IGNORE INTO",
    unless_there="",
    repeated="ON DUPLICATE KEY UPDATE",
    for_update=" FOR UPDATE",
    in_order="session_id, created_at",
    present="SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() "
    "AND JSON_CONTAINS(:names, JSON_QUOTE(table_name))",
    returning=False,
    row_values=False,
    moves=False,
    upsert="ON DUPLICATE KEY UPDATE updated_at = greatest(updated_at, CURRENT_TIMESTAMP(6))",
    index_apart=False,
)

DIALECTS = {
    family: replace(dialect, colon=r"\:")
    for family, dialect in {
        "sqlite": SQLITE,
        "postgresql": POSTGRESQL,
        "mysql": MYSQL,
        "mariadb": MYSQL,
    }.items()
}
"""By the name SQLAlchemy gives a family, for statements that go through SQLAlchemy."""

LONGEST_NAME = 2800
"""How many bytes of UTF-8 a session id may have in tables that MySQL holds."""
