"""Checks what src/floors.txt says: every room includes only rooms of lower floors, files keep their size, ARCHITECTURE.md shows the
table. What one file alone may spell or include is here.

    tools/check_floors.py [--write]     --write puts the table into ARCHITECTURE.md
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIMITS = {".cpp": 600, ".h": 300}
# Headers that only these rooms may include.
RESERVED = {"isl/": ["poly"], "zlib.h": ["draw", "interchange"]}
# What one file alone spells: others ask its functions.
SPELLED = {re.compile(r'"(?:IN|OUT)_'): "ir/port.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
TABLE = re.compile(r"^\| floor \|.*?\n(?=\n)", re.MULTILINE | re.DOTALL)


class Room:
    """A line of the table."""

    def __init__(self, line):
        self.floor, self.folder, knows, self.content = (cell.strip() for cell in line.split("|", 3))
        self.name = self.folder.removeprefix("tools/")  # Headers of tools/ are included without it.
        words = knows.split()
        self.only = words[:1] == ["only"]
        self.knows = [word.removeprefix("tools/") for word in words[self.only:]]

    def row(self):
        knows = ", ".join(self.knows) or "nothing"
        return f"| {self.floor} | `{self.folder}/` | {self.content} | {'only ' if self.only else ''}{knows} |\n"


def rooms(root):
    lines = (root / "src" / "floors.txt").read_text().splitlines()
    return {room.name: room for room in (Room(line) for line in lines if line and not line.startswith("#"))}


def reachable(table, name):
    """Every room that `name` may include, itself aside."""
    room = table[name]
    if room.only:
        return set(room.knows)
    return set(room.knows).union(*(reachable(table, lower) for lower in room.knows))


def room_of(table, path):
    """The room of a header or source, by its path below src/ or tools/; None if it lies in none."""
    parts = path.split("/")
    return next((name for name in ("/".join(parts[:2]), parts[0]) if name in table), None)


def table_problems(table):
    for room in table.values():
        for lower in room.knows:
            if lower not in table:
                yield f"src/floors.txt: {room.folder} may know {lower}, which is no room"
            elif int(table[lower].floor) >= int(room.floor):
                yield f"src/floors.txt: {room.folder} may know {lower}, which stands no lower"


def file_problems(table, folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix not in LIMITS:
            continue
        name = room_of(table, path.relative_to(folder).as_posix())
        if not name:
            yield f"{path}:1: a room without a floor"
            continue
        text = path.read_text()
        lines = text.count("\n")
        if lines > LIMITS[path.suffix]:
            yield f"{path}:1: {lines} lines, the limit is {LIMITS[path.suffix]}: split it"
        for spelling, owner in SPELLED.items():
            for match in () if path.relative_to(folder).as_posix() == owner else spelling.finditer(text):
                yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: only {owner} spells {match[0]}"
        known = reachable(table, name)
        for match in INCLUDE.finditer(text):
            line, target = text.count("\n", 0, match.start()) + 1, match[2]
            for prefix, owners in RESERVED.items():
                if target.startswith(prefix) and name not in owners:
                    yield f"{path}:{line}: only {'/ and '.join(owners)}/ includes <{target}>"
            if match[1] != '"' or "/" not in target:  # Headers of runtime/ travel together, without a path.
                continue
            other = room_of(table, target)
            if other != name and other not in known:
                yield f"{path}:{line}: {name}/ may not include {target}; it may know {', '.join(sorted(known))}"
        if table[name].only:
            yield from named_problems(table, path, name, text)


def named_problems(table, path, name, text):
    """What a header passes on can be called without an include: a face does not name the namespace of a room that it may not know."""
    known = {other.split("/")[0] for other in {name, *table[name].knows}}
    for other in sorted({other.split("/")[0] for other in table} - known):
        for match in re.finditer(rf"\b{other}::", text):
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {name}/ may not name {other}::, only what the rooms that it may know call it"


def page(table):
    return "| floor | room | what lives there | may know |\n| --- | --- | --- | --- |\n" + "".join(room.row() for room in table.values())


def page_problems(table, root):
    shown = TABLE.search((root / "ARCHITECTURE.md").read_text())
    if not shown or shown[0] != page(table):
        yield "ARCHITECTURE.md: the table of floors is not that of src/floors.txt: run `make pages`"


def problems(root):
    table = rooms(root)
    found = list(table_problems(table))
    if found:
        return found
    return [*file_problems(table, root / "src"), *file_problems(table, root / "tools"), *page_problems(table, root)]


def main():
    if sys.argv[1:] == ["--write"]:
        path = ROOT / "ARCHITECTURE.md"
        path.write_text(TABLE.sub(lambda _: page(rooms(ROOT)), path.read_text(), count=1))
    found = problems(ROOT)
    print("\n".join(found) or "floors: every include goes down, every file keeps its limit, the page shows the table")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
