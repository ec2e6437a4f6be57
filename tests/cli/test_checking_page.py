"""The page about checking robot files shows what is really printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from motionkit.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "checking-robots.md"


def test_the_page_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = dict(re.findall(r"^```(xml|text|py)\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL))
    monkeypatch.chdir(tmp_path)
    Path("bad.urdf").write_text(blocks["xml"])
    assert main(["check", "bad.urdf"]) == 2
    shown = capsys.readouterr().out
    assert shown == blocks["text"]
    assert max(map(len, shown.splitlines())) <= 100
    exec(compile(blocks["py"], PAGE.name, "exec"), {})
