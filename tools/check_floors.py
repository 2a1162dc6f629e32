"""Checks that every room of src/ includes only rooms of lower floors (the table of ARCHITECTURE.md) and keeps to the size limits."""
import pathlib
import re
import sys

# Room -> rooms that it may include, itself aside. `...` stands for everything that those rooms may include.
MAY_KNOW = {
    "runtime": [],
    "support": [],
    "symbolic": ["support"],
    "poly": ["symbolic"],
    "code": ["support"],
    "ir": ["symbolic", "code"],
    "loop": ["symbolic", "code"],
    "interchange": ["ir"],
    "analysis": ["ir", "poly"],
    "draw": ["ir", "analysis"],
    "interpret": ["ir"],
    "rewrite": ["ir", "analysis"],
    "library": ["ir", "analysis"],
    "transform": ["rewrite", "library"],
    "schedule": ["rewrite"],
    "frontend": ["ir", "analysis", "library"],
    "lower": ["ir", "loop", "analysis", "library"],
    "codegen": ["loop"],
    "driver": ["interchange", "frontend", "lower", "codegen", "transform", "schedule", "interpret", "runtime"],
    "fuzz": ["driver", "interpret"],
    "cli": ["fuzz", "driver", "draw"],
    "bindings": ["driver"],
    "serve": ["driver"],
}
LIMITS = {".cpp": 600, ".h": 300}
# Headers that only one room may include.
RESERVED = {"isl/": "poly", "zlib.h": "interchange"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def reachable(room):
    """Every room below `room`."""
    found, waiting = set(), [room]
    while waiting:
        for lower in MAY_KNOW[waiting.pop()]:
            if lower not in found:
                found.add(lower)
                waiting.append(lower)
    return found


def problems(source):
    for path in sorted(source.rglob("*")):
        if path.suffix not in LIMITS:
            continue
        text = path.read_text()
        room = path.relative_to(source).parts[0]
        if room not in MAY_KNOW:
            continue
        lines = text.count("\n")
        if lines > LIMITS[path.suffix]:
            yield f"{path}:1: {lines} lines, the limit is {LIMITS[path.suffix]}: split it"
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            target = match[2]
            for prefix, owner in RESERVED.items():
                if target.startswith(prefix) and room != owner:
                    yield f"{path}:{line}: only {owner}/ includes <{target}>"
            if match[1] == '"':
                other = target.split("/")[0] if "/" in target else room  # runtime/ headers travel together, without a path
                if other != room and other not in reachable(room):
                    yield f"{path}:{line}: {room}/ may not include {target}; it may know {', '.join(sorted(reachable(room)))}"


def main():
    source = pathlib.Path(__file__).parents[1] / "src"
    unknown = [folder.name for folder in source.iterdir() if folder.is_dir() and folder.name not in MAY_KNOW]
    found = [f"{source / name}: a room without a floor" for name in unknown]
    found = found or [problem for folder in (source, source.parent / "tools") for problem in problems(folder)]
    print("\n".join(found) or "floors: every include goes down, every file keeps its limit")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
