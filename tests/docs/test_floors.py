"""The table of floors: what the checker refuses, and that the repository passes."""
import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def checker():
    spec = importlib.util.spec_from_file_location("check_floors", ROOT / "tools" / "check_floors.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def house(folder, checker, table, files):
    """A small repository."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "tools").mkdir(exist_ok=True)
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / "floors.txt").write_text("# a comment\n" + table)
    (folder / "ARCHITECTURE.md").write_text("# House\n\n" + checker.page(checker.rooms(folder)) + "\nEnd.\n")
    return checker.problems(folder)


TABLE = "1 | low | | beneath\n2 | middle/one | low | between\n3 | high | middle/one | above\n4 | face | only high low | a face\n"


def test_the_repository_keeps_to_its_table(checker):
    assert checker.problems(ROOT) == []


def test_includes_go_down(checker, tmp_path):
    files = {"src/low/a.h": "", "src/middle/one/b.h": '#include "low/a.h"\n', "src/high/c.h": '#include "low/a.h"\n#include "middle/one/b.h"\n',
             "src/face/d.h": '#include "high/c.h"\n#include "low/a.h"\n'}
    assert house(tmp_path, checker, TABLE, files) == []
    (problem,) = house(tmp_path, checker, TABLE, {"src/low/a.h": '// A file.\n#include "high/c.h"\n'})
    assert "low/a.h:2: low/ may not include high/c.h" in problem


def test_a_face_reaches_no_further_than_its_list(checker, tmp_path):
    (problem,) = house(tmp_path, checker, TABLE, {"src/face/d.h": '#include "middle/one/b.h"\n'})
    assert "face/ may not include middle/one/b.h; it may know high, low" in problem


def test_a_face_names_no_other_namespace(checker, tmp_path):
    (problem,) = house(tmp_path, checker, TABLE, {"src/face/d.cpp": '#include "high/c.h"\nint one = high::two(low::three, middle::four);\n'})
    assert "d.cpp:2: face/ may not name middle::" in problem


@pytest.mark.parametrize("name, text, words", [
    ("src/low/long.h", "\n" * 301, "301 lines, the limit is 300"),
    ("src/other/x.h", "", "a room without a floor"),
    ("src/low/set.cpp", "#include <isl/set.h>\n", "only poly/ includes <isl/set.h>"),
    ("tools/other/x.h", "", "a room without a floor"),
    ("src/low/port.cpp", 'int a;\nauto port = "IN_" + name;\n', 'port.cpp:2: only ir/port.h spells "IN_'),
])
def test_other_rules(checker, tmp_path, name, text, words):
    (problem,) = house(tmp_path, checker, TABLE, {name: text})
    assert words in problem


def test_the_table_itself_goes_down(checker, tmp_path):
    assert "which stands no lower" in house(tmp_path, checker, "1 | a | b | x\n1 | b | | y\n", {})[0]
    assert "which is no room" in house(tmp_path, checker, "1 | a | b | x\n", {})[0]


def test_the_page_shows_the_table(checker, tmp_path):
    house(tmp_path, checker, TABLE, {})
    page = tmp_path / "ARCHITECTURE.md"
    page.write_text(page.read_text().replace("beneath", "elsewhere"))
    (problem,) = checker.problems(tmp_path)
    assert "make pages" in problem
