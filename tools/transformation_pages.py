"""Writes docs/transformations: a page for each built-in transformation, made of its descriptor and of its first test case.

    .venv/bin/python tools/transformation_pages.py [--without-pictures]
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "transformations"
COMMAND = ROOT / "build" / "release" / "bin" / "sluice"
sys.path.insert(0, str(ROOT / "python"))

from sluice import _core  # noqa: E402


def cases(path):
    """The cases of one file of tests/transform: lists of (kind, rest of the line, text)."""
    found = []
    for line in path.read_text().splitlines(keepends=True):
        if line.startswith("=== case "):
            found.append([("graph", "", "")])
        elif line.startswith("=== "):
            kind, _, rest = line[4:].strip().partition(" ")
            found[-1].append((kind, rest, ""))
        elif found:
            kind, rest, text = found[-1][-1]
            found[-1][-1] = (kind, rest, text + line)
    return found


def examples():
    """Name of a transformation -> (its file, the suffix of the source, the source, the lines that apply it)."""
    chosen = {}
    for path in sorted((ROOT / "tests" / "transform").rglob("*.txt")):
        for case in cases(path):
            sections = {kind: text.strip("\n") + "\n" for kind, _, text in case}
            lines = [line for line in sections.get("apply", "").splitlines() if line.strip()]
            if not lines or not ("expect" in sections or "same" in sections):
                continue
            source = (".py", sections["program"]) if "program" in sections else (".txt", sections["graph"])
            chosen.setdefault(lines[-1].split()[0], (path.relative_to(ROOT), *source, lines))
    return chosen


def builtin():
    """Names of the built-in transformations; a program may have added others."""
    listed = subprocess.run([COMMAND, "opt", "--describe", "all"], check=True, text=True, capture_output=True).stdout
    return [line.split()[0] for line in listed.splitlines()]


def other_names():
    """Further names, and what they stand for."""
    listed = subprocess.run([COMMAND, "opt", "--describe", "names"], check=True, text=True, capture_output=True).stdout
    return [line.split(maxsplit=1) for line in listed.splitlines()]


def page(descriptor, example):
    name = descriptor["name"]
    lines = [f"# {name}", "", descriptor["summary"], "", "```", descriptor["drawing"], "```", ""]
    if descriptor["conditions"]:
        lines += ["It is refused unless", ""]
        lines += [f"- **{code}** {sentence}" + (";" if code != list(descriptor["conditions"])[-1] else ".")
                  for code, sentence in descriptor["conditions"].items()]
        lines.append("")
    if descriptor["predicates"]:
        named = ", ".join(f"`{name}`" for name in descriptor["predicates"])
        lines += [f"Decided by exact sets of accesses: {named} of `src/analysis/legality/`.", ""]
    if descriptor["structural"]:
        lines += [f"Decided by the structure of the graph: {descriptor['structural'][0].lower()}{descriptor['structural'][1:]}", ""]
    if descriptor["parameters"]:
        lines += ["| parameter | default | meaning |", "|---|---|---|"]
        lines += [f"| `{parameter}` | `{default}` | {about} |" for parameter, (default, about) in descriptor["parameters"].items()]
        lines.append("")
    if example:
        file, _, _, applied = example
        lines += ["```", *applied, "```", "", "| before | after |", "|---|---|",
                  f"| ![before]({name}.before.svg) | ![after]({name}.after.svg) |", "",
                  f"The example is the first case of [{file}](../../{file}), where there are more.", ""]
    return "\n".join(lines)


def pages():
    """File name -> text of every page."""
    shown = examples()
    described = [_core.describe_transformation(name) for name in builtin()]
    texts = {f"{descriptor['name']}.md": page(descriptor, shown.get(descriptor["name"])) for descriptor in described}
    lines = ["# Transformations", "", "Written by tools/transformation_pages.py from the descriptors and the tests. `sluice opt --describe NAME` prints the same;",
             "docs/recipes.md says how they are applied.", ""]
    for group in sorted({descriptor["group"] for descriptor in described}):
        lines += [f"## {group}", "", "| name | what it does |", "|---|---|"]
        lines += [f"| [{descriptor['name']}]({descriptor['name']}.md) | {descriptor['summary']} |" for descriptor in described if descriptor["group"] == group]
        lines.append("")
    lines += ["## Names of the papers", "", "| name | what it stands for |", "|---|---|"]
    lines += [f"| {name} | {meaning} |" for name, meaning in other_names()]
    return {"README.md": "\n".join([*lines, ""]), **texts}


def draw(name, example):
    _, suffix, source, lines = example
    # Pictures name the file that a node comes from: commands run in the folder, so that no path of this machine is drawn.
    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            subprocess.run([COMMAND, *words], check=True, cwd=folder, stdout=subprocess.DEVNULL)

        before = "before" + suffix
        pathlib.Path(folder, before).write_text(source)
        run("opt", before, *(word for line in lines for word in ("--apply", line)), "-o", "after.txt")
        for path, word in ((before, "before"), ("after.txt", "after")):
            run("show", path, "--svg", "-o", PAGES / f"{name}.{word}.svg")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--without-pictures", action="store_true", help="write the text only")
    arguments = options.parse_args()
    PAGES.mkdir(exist_ok=True)
    texts, shown = pages(), examples()
    for old in PAGES.iterdir():
        if old.suffix == ".md" and old.name not in texts or old.suffix == ".svg" and old.name.split(".")[0] not in shown:
            old.unlink()
    for file, text in texts.items():
        (PAGES / file).write_text(text)
    if not arguments.without_pictures:
        for name, example in shown.items():
            if f"{name}.md" in texts:
                draw(name, example)
    bare = [name for name in builtin() if name not in shown]
    if bare:
        print("no test case with a result:", ", ".join(bare))


if __name__ == "__main__":
    main()
