"""The table of docs/interop.md and the summary on the terminal."""
import collections
import fnmatch

BEGIN, END = "<!-- table -->", "<!-- end of table -->"


# Answers that are not `yes` and why, by file, column and text; the mark stands in the table, the reason below it.
REASONS = [
    ("a", "*broken.error*", "*", "*V405*",
     "The file is what DaCe saved when its own validation failed: a copy of 20 elements into an array of 10. Refusing it is right."),
    ("b", "*", "*loads*", "*'str' object has no attribute 'free_symbols'*",
     "DaCe cannot use a `Tensor` that it has loaded, its own file included: the member `value_count` comes back as a text."),
    ("c", "*", "DaCe 1*", "*Expected ControlFlowBlock*",
     "DaCe 1.0.2 has no `UnstructuredControlFlow` and no `NamedRegion`; they came with 2.0."),
    ("d", "*refset*", "DaCe 1*", "*used before it was set*",
     "DaCe 1.0.2 does not look into the branches of a conditional for the edge that sets the reference."),
    ("e", "*spmv*", "DaCe 1*", "*Missing symbols*",
     "DaCe 1.0.2 takes every declared symbol of a nested SDFG for a free one, the parameter of a map inside included."),
]
# Programs without a column for runs, and why.
NOT_RUN = [
    ("gpu*", "targets a GPU"),
    ("distributed", "declares MPI process grids as arguments and computes nothing"),
    ("tensor", "has one argument, a `Tensor`, and no state that does anything"),
    ("containers", "declares a container of every kind as argument and computes nothing"),
    ("strided", "its tasklet gives one scalar to a range of elements, and its map leaves the array: C++ that DaCe prints for it does not compile"),
]


def columns(releases):
    """(title, value of a result; missing: does not apply)."""
    found = [("loads", lambda r: r.get("loads")), ("verifies", lambda r: r.get("verifies")), ("byte-stable", lambda r: r.get("stable")),
             ("runs, as NumPy", lambda r: r.get("runs"))]
    for release in releases:
        found.append((f"DaCe {release} loads", lambda r, v=release: r.get("dace", {}).get(v, {}).get("loads")))
        found.append((f"DaCe {release} runs, same", lambda r, v=release: r.get("dace", {}).get(v, {}).get("runs")))
    return found


def reason(file, title, text):
    """The letter of the reason for an answer, or nothing."""
    for letter, files, titles, texts, _ in REASONS:
        if fnmatch.fnmatch(file, files) and fnmatch.fnmatch(title, titles) and fnmatch.fnmatch(text, texts):
            return letter
    return ""


def cell(file, title, value):
    if value is None:
        return ""
    return "yes" if value == "yes" else f"no ({reason(file, title, value) or '?'})"


def table(results, releases):
    titles = [title for title, _ in columns(releases)]
    lines = ["| file | " + " | ".join(titles) + " |", "| --- |" + " --- |" * len(titles)]
    used = set()
    for result in results:
        cells = []
        for title, value in columns(releases):
            answer = value(result)
            cells.append(cell(result["file"], title, answer))
            if answer not in (None, "yes"):
                used.add(reason(result["file"], title, answer))
        lines.append(f"| {result['file']} | " + " | ".join(cells) + " |")
    lines.append("")
    lines += [f"- ({letter}) {text}" for letter, _, _, _, text in REASONS if letter in used]
    return "\n".join(lines)


def counts(results, releases):
    lines = ["| | yes | of |", "| --- | --- | --- |"]
    for title, value in columns(releases):
        values = [value(result) for result in results if value(result) is not None]
        lines.append(f"| {title} | {sum(v == 'yes' for v in values)} | {len(values)} |")
    return "\n".join(lines)


def write(page, results, releases):
    """Replaces what stands between the marks of the page."""
    text = page.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    idle = "\n".join(f"- `{program}` {why}." for program, why in NOT_RUN)
    page.write_text(f"{before}{BEGIN}\n{counts(results, releases)}\n\nAn empty cell: not asked. Programs that are not run:\n\n{idle}\n\n"
                    f"{table(results, releases)}\n{END}{after}")


def summarise(results, releases):
    """Prints what is not `yes`; 1 if there is any without a reason."""
    status = 0
    for title, value in columns(releases):
        values = [value(result) for result in results]
        good = sum(v == "yes" for v in values)
        print(f"{title}: {good} of {sum(v is not None for v in values)}")
        said = collections.defaultdict(list)
        for result, v in zip(results, values):
            if v not in (None, "yes"):
                said[reason(result["file"], title, v), v].append(result["file"])
        for (letter, text), files in said.items():
            status = status or not letter
            print(f"    {text}{f' -- reason {letter}' if letter else ''}\n        {' '.join(files)}")
    return int(status)
