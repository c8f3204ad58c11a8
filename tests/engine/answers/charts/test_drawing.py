"""Charts as files and as text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from charted import ONE_OF_EACH, tabled

from reqap_kg.engine.answers.answer import Answer
from reqap_kg.engine.answers.charts.choose import Chart, chart_of
from reqap_kg.engine.answers.charts.draw import draw, in_terminal
from reqap_kg.errors import UsageError

ROOT = Path(__file__).parents[4]
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ("<script>alert(1)</script>", "]]>&\"'", "W" * 60, "فيروز", "坂本龍一", "👩‍👩‍👧‍👦", "\x00\x1b[31m", "\ud800")


def chart(found: Answer) -> Chart:
    made = chart_of(found)
    assert made is not None
    return made


@pytest.mark.parametrize("kind", sorted(ONE_OF_EACH))
def test_every_kind_is_drawn(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    draw(chart(ONE_OF_EACH[kind]), path)
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{SVG}svg"
    assert ONE_OF_EACH[kind].question in "".join(root.itertext())
    assert not list(root.iter(f"{SVG}image"))
    marks = [path.get("d", "") for path in root.iter(f"{SVG}path")]
    assert kind == "table" or any(len(mark) > 12 and "h0v" not in mark for mark in marks)


@pytest.mark.parametrize("analysis", ["ranking", "share"])
def test_hostile_labels_are_well_formed(analysis: str, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    draw(chart(tabled(("name", "count"), [(name, at + 1) for at, name in enumerate(HOSTILE)], analysis)), path)
    root = ElementTree.parse(path).getroot()
    assert not list(root.iter(f"{SVG}script"))
    shown = "".join(root.itertext())
    assert "<script>alert(1)</script>" in shown
    assert "W" * 60 not in shown  # cut to fit


def test_a_png(tmp_path: Path) -> None:
    draw(chart(ONE_OF_EACH["pie"]), tmp_path / "chart.PNG")
    assert (tmp_path / "chart.PNG").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["chart.json", "chart.vl.json"])
def test_the_specification(name: str, tmp_path: Path) -> None:
    made = chart(ONE_OF_EACH["bar"])
    draw(made, tmp_path / name)
    assert json.loads((tmp_path / name).read_text(encoding="utf-8")) == made.spec


@pytest.mark.parametrize("name", ["chart.pdf", "chart", "chart.svg.exe"])
def test_other_endings_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.svg, \.png, \.json, \.vl\.json"):
        draw(chart(ONE_OF_EACH["bar"]), tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        draw(chart(ONE_OF_EACH["bar"]), tmp_path / "none" / "chart.json")


def test_time_zones_move_no_month(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, 'tests'); from charted import ONE_OF_EACH;"
        "from reqap_kg.engine.answers.charts.choose import chart_of;"
        "from reqap_kg.engine.answers.charts.draw import draw;"
        "[draw(chart_of(ONE_OF_EACH[kind]), Path(sys.argv[1], kind + '.svg')) for kind in ('bar', 'line', 'calendar')]"
    )
    for zone in ("America/Los_Angeles", "Pacific/Auckland"):
        (tmp_path / zone).mkdir(parents=True)
        environment = {**os.environ, "TZ": zone}
        subprocess.run([sys.executable, "-c", code, str(tmp_path / zone)], check=True, env=environment, cwd=ROOT)
    for kind in ("bar", "line", "calendar"):
        west, east = (
            (tmp_path / zone / f"{kind}.svg").read_text("utf-8") for zone in ("America/Los_Angeles", "Pacific/Auckland")
        )
        assert west == east
        assert kind != "bar" or [name for name in ("Jan", "2024", "Dec") if f">{name}<" not in west] == []


def test_the_same_value_everywhere_is_drawn_as_text(capfd: pytest.CaptureFixture[str]) -> None:
    months = [(f"2024-{month:02d}", 5) for month in range(1, 13)]
    assert "2024-01" in in_terminal(chart(tabled(("month", "revenue"), months, "trend")), 80, 12)
    assert capfd.readouterr() == ("", "")


# ---------------------------------------------------------------- text
@pytest.mark.parametrize("kind", sorted(ONE_OF_EACH))
@pytest.mark.parametrize(("width", "height"), [(80, 16), (40, 8)])
def test_every_kind_is_drawn_as_text(kind: str, width: int, height: int, capfd: pytest.CaptureFixture[str]) -> None:
    from rich.cells import cell_len

    text = in_terminal(chart(ONE_OF_EACH[kind]), width, height)
    lines = text.splitlines()
    assert lines[0] == ONE_OF_EACH[kind].question[: len(lines[0])]
    assert "\x1b" not in text
    assert capfd.readouterr() == ("", "")
    assert max(map(cell_len, lines)) <= max(width, 58 if kind == "calendar" else 0)


def test_bars_as_text() -> None:
    rows = [("Gwenno", 20), ("坂本龍一", 10), ("فيروز", 5)]
    text = in_terminal(chart(tabled(("artist", "count"), rows, "ranking", question="Most played?")), 40, 10)
    assert text.splitlines() == [
        "Most played?",
        "",
        "Gwenno   │███████████████████████████ 20",
        "坂本龍一 │█████████████▌ 10",
        "فيروز    │██████▊ 5",
        "count",
    ]


def test_losses_go_the_other_way() -> None:
    text = in_terminal(chart(tabled(("shop", "profit"), [("North", 20), ("South", -20)], "comparison")), 40, 10)
    north, south = text.splitlines()[2:4]
    assert north.index("│") == south.index("│")
    assert south.index("█") < south.index("│") < north.index("█")


def test_hostile_labels_as_text() -> None:
    rows = [(name, at + 1) for at, name in enumerate(HOSTILE)]
    text = in_terminal(chart(tabled(("name", "count"), rows, "ranking")), 80, 12)
    assert not any(ord(letter) < 32 and letter != "\n" for letter in text)


def test_nothing_heavy_is_imported_to_choose_a_chart() -> None:
    code = (
        "import sys; from reqap_kg.engine.answers.charts import draw, terminal, choose;"
        "assert not {'vl_convert', 'plotext', 'altair'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
