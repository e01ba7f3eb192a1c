"""The program that draws, in a process apart: a crash or a limit ends it alone.

It runs by its path, without importing Turnwire. Each line of stdin is a job as JSON; the answer is
a line of JSON and as many bytes as it names.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any, BinaryIO

IDLE_SECONDS = 60
_SNIPPET = "window.vegaEmbed = vegaEmbed;"


def answer(job: dict[str, Any]) -> bytes:
    """Draws a specification, or returns the scripts of a page that draws one."""
    import vl_convert

    spec, lite_version = job["spec"], job["lite_version"]
    if lite_version is not None:
        lite_version = _nearest(vl_convert.get_vegalite_versions(), lite_version)
    if job["form"] == "scripts":
        return vl_convert.javascript_bundle(_SNIPPET, vl_version=lite_version).encode()
    options: dict[str, Any] = {"allowed_base_urls": []}
    if job["form"] == "png":
        options["scale"] = job["scale"]
    if lite_version is None:
        drawn = getattr(vl_convert, f"vega_to_{job['form']}")(spec, **options)
    else:
        options["vl_version"] = lite_version
        drawn = getattr(vl_convert, f"vegalite_to_{job['form']}")(spec, **options)
    return drawn.encode() if isinstance(drawn, str) else bytes(drawn)


def _nearest(versions: list[str], major: int) -> str:
    """The newest release of a major version; of one that is too old, the oldest of all."""
    ordered = sorted(versions, key=lambda version: [int(part) for part in version.split(".")])
    return next(
        (each for each in reversed(ordered) if int(each.split(".")[0]) <= major), ordered[0]
    )


def _limit_seconds(seconds: float) -> None:
    """Ends the process by itself if it is still busy then, because its parent is gone."""
    try:
        import resource
    except ImportError:  # Windows
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    soon = int(used.ru_utime + used.ru_stime + seconds) + 10
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    if hard == resource.RLIM_INFINITY or soon < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (soon, hard))


def serve(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Answers jobs until their stream ends, or until none has come for a while."""
    while True:
        idle = threading.Timer(IDLE_SECONDS, os._exit, (0,))
        idle.daemon = True
        idle.start()
        line = jobs.readline()
        idle.cancel()
        if not line:
            return
        job = json.loads(line)
        _limit_seconds(job["seconds"])
        try:
            body = answer(job)
            head = {"is_drawn": True, "size": len(body)}
        except Exception as error:
            body = str(error).encode(errors="replace")
            head = {"is_drawn": False, "size": len(body)}
        answers.write(json.dumps(head).encode() + b"\n" + body)
        answers.flush()


def main() -> None:
    """Serves on the standard streams; whatever else is printed goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
