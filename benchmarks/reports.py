"""Making the page and the Markdown of a session, against collecting the session from its messages.

python benchmarks/reports.py [--runs 11]
"""

from __future__ import annotations

import sys
from pathlib import Path

from protojson import medians, runs_asked_for, shown

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

TURNS = 1000


def main() -> int:
    runs = runs_asked_for(__doc__.splitlines()[0])

    from report.conversations import turn

    from turnwire import ces, from_dict, report

    outputs = [
        from_dict(ces.SessionOutput, output)
        for number in range(1, TURNS + 1)
        for output in turn(number)
    ]
    session = ces.Session.collect(outputs)
    times = medians(
        {
            "Session.collect": lambda: ces.Session.collect(outputs),
            "report.html": lambda: report.html(session),
            "report.markdown": lambda: report.markdown(session),
        },
        runs,
    )
    base = times["Session.collect"]
    print(f"{TURNS} turns, {len(report.html(session)):,} bytes of HTML\n")
    print("| | time | times Session.collect |\n| --- | --- | --- |")
    for name, time in times.items():
        print(f"| {name} | {shown(time)} | {time / base:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
