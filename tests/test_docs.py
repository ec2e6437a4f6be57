"""The documentation is true: its examples run, its links lead somewhere, and no public name goes without words."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import motionkit as mk
from docstrings import undocumented
from pictures import FOLDER, PICTURES

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *(p for p in (ROOT / "docs").rglob("*.md") if not {"_build", "reference"} & set(p.parts))]
)
BLOCK = re.compile(r"^```(pycon|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
NAMES = sorted((room, name) for room in (*mk._ROOMS, "errors") for name in getattr(mk, room).__all__)


@pytest.mark.parametrize(("room", "name"), NAMES)
def test_public_name_has_a_docstring(room: str, name: str) -> None:
    """I5: a public name without a docstring fails, and so does a public method or property."""
    assert undocumented(name, getattr(getattr(mk, room), name)) == []


def test_a_name_without_a_docstring_is_found() -> None:
    """The control: a class without words, a method and a property without words."""

    class Silent:
        def method(self) -> None: ...

        @property
        def value(self) -> float:
            return 1.0

        @classmethod
        def make(cls) -> None: ...

    assert undocumented("Silent", Silent) == ["Silent", "Silent.method", "Silent.value", "Silent.make"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_examples_of_the_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks marked ``python`` run one after the other in one session; blocks marked ``pycon`` print what they say."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for number, (kind, text) in enumerate(BLOCK.findall(page.read_text())):
        if kind == "python":
            exec(compile(text, f"{page.name}, block {number}", "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(text, names, f"{page.name}, block {number}", str(page), 0)
        said: list[str] = []
        result = doctest.DocTestRunner(verbose=False).run(test, out=said.append, clear_globs=False)
        names.update(test.globs)
        assert result.attempted > 0, f"{page.name}, block {number} holds no example"
        assert result.failed == 0, "".join(said)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        if not target.startswith(("http", "mailto")):
            assert (page.parent / target).exists() or "reference/" in target, f"{page.name}: {target}"


def test_every_decision_says_what_lost() -> None:
    """I4: one record per decision, numbered without gaps, each with the alternatives that lost and why."""
    records = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    index = (ROOT / "docs" / "decisions" / "index.md").read_text()
    assert ":glob:\n\n0*\n" in index  # the page lists them all
    assert [int(r.name[:4]) for r in records] == list(range(1, len(records) + 1))
    for record in records:
        text = record.read_text()
        parts = re.split(r"^## ", text, flags=re.MULTILINE)
        titles = [p.partition("\n")[0] for p in parts[1:]]
        assert titles == ["Context", "Decision", "Alternatives", "Consequences"], record.name
        assert all(len(p.partition("\n")[2].split()) > 15 for p in parts[1:]), record


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_pictures_are_what_the_library_draws(name: str) -> None:
    """Up to the last digit: the numbers are the same on every machine."""
    assert (FOLDER / name).read_text(encoding="utf-8") == PICTURES[name]()


def test_every_picture_is_shown_and_drawn() -> None:
    shown = {Path(link).name for page in PAGES for link in LINK.findall(page.read_text()) if link.endswith(".svg")}
    assert shown == set(PICTURES) == {path.name for path in FOLDER.iterdir()}
