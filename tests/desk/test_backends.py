"""Which backends there are, where keys and connections come from, and that no secret is shown."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desk.backends import Connection, connections, typed
from desk.lifetimes import Lifetimes
from desk.secrets import SecretsUnreadable, read_secrets
from desk.values import Address

ONE, TWO = Address("encrypted", "ticket_1"), Address("encrypted", "ticket_2")
URL = "postgresql+asyncpg://user:hunter2@db.example/team"


def test_each_connection_of_the_secrets_file_is_a_backend() -> None:
    (team,) = connections({"backends": {"team": {"url": URL, "label": "Team", "create_tables": False}}})
    assert team == Connection("team", URL, "Team", create_tables=False)
    assert team.problem is None


@pytest.mark.parametrize(
    ("name", "given", "problem"),
    [
        ("Team!", {"url": URL}, "bad_connection_name"),
        ("file", {"url": URL}, "bad_connection_name"),
        ("team", {}, "no_url"),
        ("team", {"url": 5}, "no_url"),
        ("team", {"url": " "}, "no_url"),
        ("team", "a text", "no_url"),
        ("team", {"url": URL, "create_tables": "yes"}, "bad_setting"),
        ("team", {"url": URL, "encrypted": 1}, "bad_setting"),
    ],
)
def test_a_connection_that_cannot_be_used_is_there_with_its_problem(
    name: str, given: object, problem: str
) -> None:
    (made,) = connections({"backends": {name: given}})
    assert made.problem == problem
    assert made.url == ""


def test_no_connection_shows_its_url() -> None:
    (team,) = connections({"backends": {"team": {"url": URL}}})
    assert "hunter2" not in repr(team)
    assert "hunter2" not in str(typed(URL, {}))


def test_a_typed_connection_is_named_by_the_first_free_number_and_labelled_without_its_server() -> None:
    made = typed(f"  {URL}\n", {"db-1": Connection("db-1", "sqlite+aiosqlite:///another.db")})
    assert (made.name, made.label, made.url) == ("db-2", "postgresql: team", URL)
    assert typed("sqlite+aiosqlite:////tmp/some/notes.db", {}).label == "sqlite: notes.db"
    with pytest.raises(ValueError, match="no URL"):
        typed("team", {})


@pytest.mark.parametrize(
    ("url", "label"),
    [
        ("postgresql+asyncpg://ann:hun/ter2@127.0.0.1:5432", "postgresql"),
        ("postgresql+asyncpg://ann:hun/ter2@127.0.0.1:5432/", "postgresql"),
        ("postgresql+asyncpg://ann:hun/ter2@127.0.0.1:5432/team", "postgresql: team"),
        ("mysql+aiomysql://ann:h@n/ter2@127.0.0.1/team?ssl=hunter2", "mysql: team"),
        ("postgresql+asyncpg://ann:hunter#2/@127.0.0.1/team", "postgresql: team"),
    ],
)
def test_no_part_of_a_password_is_taken_for_the_name_of_a_database(url: str, label: str) -> None:
    assert typed(url, {}).label == label


@pytest.mark.parametrize("url", ["", "team", "//h/x", "postgresql+asyncpg://ann:pw@h:port/x", "://"])
def test_what_is_no_url_is_refused_without_a_word_of_it(url: str) -> None:
    with pytest.raises(ValueError, match=r"^That is no URL of a database\.$"):
        typed(url, {})


def test_the_ledger_of_a_typed_database_is_named_for_its_place_whatever_the_password_is() -> None:
    first = typed("postgresql+asyncpg://ann:hun/ter2@127.0.0.1:5432/team", {})
    later = typed("postgresql+asyncpg://ann:other@127.0.0.1:5432/team", {})
    other = typed("postgresql+asyncpg://ann:other@127.0.0.1:5433/team", {})
    assert first.ledger == later.ledger != other.ledger


def test_a_url_that_is_typed_again_is_the_connection_it_was() -> None:
    made = typed(URL, {})
    assert typed(f"{URL} ", {made.name: made}) is made
    without = typed(URL, {made.name: made}, create_tables=False)
    assert (without.name, without.label) == ("db-2", "postgresql: team (db-2)")


def test_the_nearer_secrets_file_wins_name_by_name(tmp_path: Path) -> None:
    near, far = tmp_path / "near.toml", tmp_path / "far.toml"
    near.write_text('KEY = "near"\n', encoding="utf-8")
    far.write_text('KEY = "far"\nOTHER = 2\n', encoding="utf-8")
    assert read_secrets((near, far, tmp_path / "absent.toml")) == {"KEY": "near", "OTHER": 2}


def test_a_broken_secrets_file_is_named_without_what_is_in_it(tmp_path: Path) -> None:
    broken = tmp_path / "secrets.toml"
    broken.write_text('KEY = hunter2"\n', encoding="utf-8")
    with pytest.raises(SecretsUnreadable) as told:
        read_secrets((broken,))
    assert "secrets.toml" in str(told.value)
    assert "hunter2" not in str(told.value)
    assert told.value.__cause__ is None


def test_a_time_to_live_is_kept_for_its_session_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "lifetimes.json"
    lifetimes = Lifetimes(path)
    assert lifetimes.of(ONE) is None
    assert not path.exists()
    lifetimes.choose(ONE, 600)
    lifetimes.choose(TWO, 60)
    lifetimes.choose(TWO, None)
    assert (Lifetimes(path).of(ONE), Lifetimes(path).of(TWO)) == (600, None)
    assert {file.name for file in path.parent.iterdir()} == {"lifetimes.json", "lifetimes.lock"}


# Waits for a line, so that all processes begin at once.
CHOOSE = """
import sys
from pathlib import Path
from desk.lifetimes import Lifetimes
from desk.values import Address

path, who = sys.argv[1:]
lifetimes = Lifetimes(Path(path))
print("ready", flush=True)
sys.stdin.readline()
for number in range(40):
    lifetimes.choose(Address("encrypted", f"{who} {number}"), 60 + number)
"""


def test_servers_that_choose_at_once_lose_no_choice_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "lifetimes.json"
    servers = [
        subprocess.Popen(
            [sys.executable, "-c", CHOOSE, str(path), who],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for who in ("one", "two")
    ]
    for server in servers:
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"
    for server in servers:
        assert server.stdin is not None
        server.stdin.write("go\n")
        server.stdin.flush()
    for server in servers:
        server.communicate()
        assert server.returncode == 0
    lifetimes = Lifetimes(path)
    chosen = [lifetimes.of(Address("encrypted", f"{who} {n}")) for who in ("one", "two") for n in range(40)]
    assert chosen == [60 + n for _ in range(2) for n in range(40)]


@pytest.mark.parametrize("held", ["", "[]", "{half", '{"encrypted/ticket_1": "ten"}', "5"])
def test_a_file_of_lifetimes_that_cannot_be_read_says_nothing(tmp_path: Path, held: str) -> None:
    path = tmp_path / "lifetimes.json"
    path.write_text(held, encoding="utf-8")
    lifetimes = Lifetimes(path)
    assert lifetimes.of(ONE) is None
    lifetimes.choose(ONE, 60)
    assert lifetimes.of(ONE) == 60
