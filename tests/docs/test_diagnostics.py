"""The pages that list the diagnostic codes, compared with the sources that raise them."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUOTED = re.compile(r'"([A-Z][0-9]{3})"')
TABLE_ROW = re.compile(r"^\| ([A-Z][0-9]{3}) \|", re.MULTILINE)
INVARIANT = re.compile(r"^- \*\*(V[0-9]{3})\*\*", re.MULTILINE)


def raised():
    """Every code that stands in the sources as a string of its own."""
    sources = [path for folder in ("src", "python", "tools") for path in (ROOT / folder).rglob("*") if path.suffix in (".cpp", ".h", ".py")]
    return {code for path in sources for code in QUOTED.findall(path.read_text())}


def test_every_code_is_explained_and_every_explained_code_is_raised():
    listed = TABLE_ROW.findall((ROOT / "docs/diagnostics.md").read_text())
    invariants = INVARIANT.findall((ROOT / "docs/spec.md").read_text())
    assert len(listed + invariants) == len(set(listed + invariants)), "a code is listed twice"
    assert set(listed + invariants) == raised()


def test_rows_are_whole_and_in_order():
    rows = [line for line in (ROOT / "docs/diagnostics.md").read_text().splitlines() if TABLE_ROW.match(line)]
    assert all(len([cell for cell in re.split(r"(?<!\\)\|", row)[1:-1] if cell.strip()]) == 3 for row in rows)
    codes = [row[2:6] for row in rows]
    assert codes == sorted(codes)


def test_every_code_is_raised_by_a_test():
    """At least named by one: the tests compare the code of what they provoke."""
    named = set()
    for path in (ROOT / "tests").rglob("*"):
        if path.suffix in (".cpp", ".h", ".py", ".txt"):
            named |= set(re.findall(r"\b[A-Z][0-9]{3}\b", path.read_text()))
    assert raised() - named == set()


def test_every_letter_has_its_occasion_and_its_section():
    page = (ROOT / "docs/diagnostics.md").read_text()
    letters = sorted({code[0] for code in raised()})
    assert re.findall(r"^\| ([A-Z]) \|", page, re.MULTILINE) == letters
    assert re.findall(r"^## ([A-Z]): ", page, re.MULTILINE) == [letter for letter in letters if letter != "V"]
