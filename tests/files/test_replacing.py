"""A file appears under its name only when it is complete, whoever else writes the same path."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import turnwire
from turnwire import ces
from turnwire._replacing import replacing

posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX paths")


def messages_that_wait(number: int, start: threading.Barrier) -> Iterator[ces.Message]:
    yield ces.Message(role=str(number))
    start.wait(timeout=30)
    yield from (ces.Message(role=str(number)) for _ in range(50))


def through_write(path: Path, number: int, start: threading.Barrier) -> None:
    turnwire.write(messages_that_wait(number, start), path)


def through_the_file(path: Path, number: int, start: threading.Barrier) -> None:
    with replacing(path) as file:
        start.wait(timeout=30)
        file.write(f"{number}\n".encode() * 51)


@pytest.mark.parametrize("writer", [through_write, through_the_file])
@pytest.mark.parametrize("name", ["new.ndjson", "old.ndjson"])
def test_several_writers_of_one_path_all_succeed_and_one_is_left(
    name: str, writer: Callable[[Path, int, threading.Barrier], None], tmp_path: Path
) -> None:
    (tmp_path / "old.ndjson").write_bytes(b"before")
    path, failures = tmp_path / name, []
    start = threading.Barrier(4)

    def work(number: int) -> None:
        try:
            writer(path, number, start)
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert failures == []
    lines = path.read_bytes().splitlines()
    assert (len(lines), len(set(lines))) == (51, 1)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted({name, "old.ndjson"})


def test_a_writer_that_fails_leaves_the_files_of_others(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with replacing(path) as good:
        with pytest.raises(ZeroDivisionError), replacing(path) as bad:
            bad.write(b"%d" % (1 // 0))
        good.write(b"good")
    assert path.read_bytes() == b"good"
    assert list(tmp_path.iterdir()) == [path]


def test_files_left_by_a_killed_writer_disturb_no_other(tmp_path: Path) -> None:
    path = tmp_path / "out"
    program = (
        "import os, sys; from pathlib import Path; from turnwire._replacing import replacing\n"
        "with replacing(Path(sys.argv[1])) as file: file.write(b'part'); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", program, path]).returncode == 9
    [left] = tmp_path.iterdir()
    with replacing(path) as file:
        file.write(b"whole")
    assert path.read_bytes() == b"whole"
    assert sorted(tmp_path.iterdir()) == sorted([path, left])


@pytest.mark.parametrize("length", [245, 255])
def test_names_as_long_as_a_name_can_be(length: int, tmp_path: Path) -> None:
    path = tmp_path / ("n" * length)
    assert turnwire.write([ces.Message()], path) == 1
    assert path.read_bytes() == b"{}\n"


@posix
def test_a_new_file_has_the_rights_of_any_new_file_and_an_old_one_keeps_its_own(
    tmp_path: Path,
) -> None:
    (tmp_path / "plain").touch()
    with replacing(tmp_path / "new"):
        pass
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode
    (tmp_path / "new").chmod(0o604)
    with replacing(tmp_path / "new"):
        pass
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o604


@posix
def test_a_link_stays_and_the_file_behind_it_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/file")
    with replacing(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "folder/file").read_bytes() == b"new"
    assert (tmp_path / "link").is_symlink()


@posix
def test_links_that_lead_nowhere_are_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="links") as caught, replacing(tmp_path / "a"):
        pass
    assert caught.value.filename == str(tmp_path / "a")
    assert (tmp_path / "a").is_symlink()


DESCRIPTORS = ["/dev/fd/{}", "/proc/self/fd/{}"]


@posix
@pytest.mark.parametrize("form", [form for form in DESCRIPTORS if Path(form).parent.exists()])
@pytest.mark.parametrize("linked", [False, True])
def test_an_open_file_is_written_on_where_it_is(form: str, linked: bool, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"before\n")
    with log.open("ab") as opened:
        path = Path(form.format(opened.fileno()))
        if linked:
            (tmp_path / "link").symlink_to(path)
            path = tmp_path / "link"
        assert turnwire.write([ces.Message()], path) == 1
        opened.write(b"after\n")
    assert log.read_bytes() == b"before\n{}\nafter\n"


@posix
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("redirect", [">>", ">"])
def test_standard_output_by_its_name_is_the_one_that_the_shell_opened(
    name: str, redirect: str, tmp_path: Path
) -> None:
    if not Path(name).parent.exists():
        pytest.skip("the system has no such names")
    program = (
        f"import turnwire; from turnwire import ces; turnwire.write([ces.Message()], '{name}')"
    )
    command = f'(echo before; "$0" -c "$1"; echo after) {redirect} log'
    subprocess.run(["sh", "-c", command, sys.executable, program], cwd=tmp_path, check=True)
    assert (tmp_path / "log").read_bytes() == b"before\n{}\nafter\n"
