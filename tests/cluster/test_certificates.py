"""The certificates of a cluster: for the user alone, and nobody without one is let in."""

import contextlib
import ssl
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli.main import main
from graders.cluster.certificates import (
    CLIENT,
    ROLES,
    SCHEDULER,
    WORKER,
    NoCertificates,
    make_certificates,
    security,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("cluster") / "certificates"
    make_certificates(made)
    return made


def test_only_the_user_can_read_them(folder: Path):
    modes = {stat.S_IMODE(p.stat().st_mode) for p in folder.rglob("*") if p.is_file()}
    assert modes == {0o600}
    assert {stat.S_IMODE(p.stat().st_mode) for p in (folder, *(folder / r for r in ROLES))} == {0o700}


def test_the_authoritys_key_is_in_the_part_of_no_role(folder: Path):
    for role in ROLES:
        assert sorted(p.name for p in (folder / role).iterdir()) == [
            "authority.pem",
            "certificate.pem",
            "key.pem",
        ]


def test_a_folder_that_is_not_empty_is_not_written_to(folder: Path):
    before = sorted(folder.rglob("*"))
    done = CliRunner().invoke(main, ["cluster", "init", str(folder)])
    assert done.exit_code == 2
    assert "name a new folder" in done.output
    assert sorted(folder.rglob("*")) == before


def test_the_part_of_a_role_is_enough_for_it(folder: Path, tmp_path: Path):
    assert security(WORKER, folder / WORKER).tls_worker_key == str(folder / "worker/key.pem")
    with pytest.raises(NoCertificates, match=r"authority\.pem is missing"):
        security(WORKER, tmp_path)


def shake_hands(server: ssl.SSLContext, client: ssl.SSLContext) -> None:
    """Have two ends meet in memory.

    Raises:
        ssl.SSLError: one refuses the other.
    """
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        server.wrap_bio(to_server, to_client, server_side=True),
        client.wrap_bio(to_client, to_server, server_side=False),
    ]
    for _ in range(6):
        for end in ends:
            with contextlib.suppress(ssl.SSLWantReadError):
                end.do_handshake()
    ends[1].write(b"hello")
    assert ends[0].read(5) == b"hello"


def contexts(folder: Path, server: str, client: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    listening = security(server, folder).get_listen_args(server)["ssl_context"]
    return listening, security(client, folder).get_connection_args(client)["ssl_context"]


@pytest.mark.parametrize(
    ("server", "client"), [(SCHEDULER, WORKER), (SCHEDULER, CLIENT), (WORKER, SCHEDULER)]
)
def test_those_who_have_one_meet_by_tls_1_3(folder: Path, server: str, client: str):
    shake_hands(*contexts(folder, server, client))
    for context in contexts(folder, server, client):
        assert context.minimum_version is ssl.TLSVersion.TLSv1_3


def test_nobody_is_let_in_without_a_certificate(folder: Path):
    listening, _ = contexts(folder, SCHEDULER, CLIENT)
    stranger = ssl.create_default_context(cafile=str(folder / "client/authority.pem"))
    stranger.check_hostname = False
    with pytest.raises(ssl.SSLError):
        shake_hands(listening, stranger)


def test_nobody_is_let_in_with_another_authoritys_certificate(folder: Path, tmp_path: Path):
    make_certificates(tmp_path / "others")
    listening, _ = contexts(folder, SCHEDULER, CLIENT)
    _, stranger = contexts(tmp_path / "others", SCHEDULER, CLIENT)
    with pytest.raises(ssl.SSLError):
        shake_hands(listening, stranger)


def test_a_clients_certificate_makes_no_scheduler(folder: Path):
    false = security(SCHEDULER, folder / CLIENT).get_listen_args(SCHEDULER)["ssl_context"]
    _, client = contexts(folder, SCHEDULER, CLIENT)
    with pytest.raises(ssl.SSLError):
        shake_hands(false, client)
