"""The table of docs/interop.md and the summary on the terminal."""
import collections
import fnmatch

BEGIN, END = "<!-- table -->", "<!-- end of table -->"
SAME = "o"

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
    ("e", "examples/softmax.py", "*runs*", "*CompilationError*",
     "DaCe prints `math.inf`, with which the maximum of a tasklet begins, into its C++ as it stands."),
]
# Programs without a column for runs, and why.
NOT_RUN = [
    ("gpu*", "targets a GPU"),
    ("distributed", "declares MPI process grids as arguments and computes nothing"),
    ("tensor", "has one argument, a `Tensor`, and no state that does anything"),
    ("containers", "declares a container of every kind as argument and computes nothing"),
    ("strided", "gives one scalar to a connector of several elements: the C++ that DaCe prints for it does not compile, so that DaCe says "
                "no result; Sluice compiles it and writes the first of them"),
]


class Column:
    """One question; `said` and `said_of_original` give the answers, None where it was not asked."""

    def __init__(self, title, key, release=None):
        self.title, self.key, self.release = title, key, release

    def said(self, result):
        return (result.get("dace", {}).get(self.release, {}) if self.release else result).get(self.key)

    def said_of_original(self, result):
        return result.get("dace", {}).get(self.release, {}).get("original", {}).get(self.key)

    def reason(self, result):
        """The letter of the reason for an answer that is not yes, or nothing."""
        said, original = self.said(result), self.said_of_original(result)
        for letter, files, titles, texts, _ in REASONS:
            if fnmatch.fnmatch(result["file"], files) and fnmatch.fnmatch(self.title, titles) and fnmatch.fnmatch(said, texts):
                return letter
        return SAME if self.release and said == original else ""

    def cell(self, result):
        said = self.said(result)
        if said is None:
            return ""
        return said if said == "yes" else f"no ({self.reason(result) or '?'})"


def columns(releases):
    found = [Column("loads", "loads"), Column("verifies", "verifies"), Column("byte-stable", "stable"), Column("runs, as NumPy", "runs")]
    for release in releases:
        found += [Column(f"DaCe {release} loads", "loads", release), Column(f"DaCe {release} runs, same", "runs", release),
                  Column(f"its SDFV draws ({release})", "draws", release)]
    return found


def table(results, releases):
    asked = columns(releases)
    lines = ["| file | " + " | ".join(column.title for column in asked) + " |", "| --- |" + " --- |" * len(asked)]
    lines += [f"| {result['file']} | " + " | ".join(column.cell(result) for column in asked) + " |" for result in results]
    used = {column.reason(result) for column in asked for result in results if column.said(result) not in (None, "yes")}
    lines.append("")
    lines += [f"- ({letter}) {text}" for letter, _, _, _, text in REASONS if letter in used]
    if SAME in used:
        lines.append(f"- ({SAME}) DaCe, or its viewer, says the same, word for word, of the file that DaCe wrote, before Sluice has touched it.")
    return "\n".join(lines)


def counts(results, releases):
    lines = ["| | yes | of |", "| --- | --- | --- |"]
    for column in columns(releases):
        said = [column.said(result) for result in results if column.said(result) is not None]
        lines.append(f"| {column.title} | {sum(each == 'yes' for each in said)} | {len(said)} |")
    return "\n".join(lines)


def write(page, results, releases):
    """Replaces what stands between the marks of the page."""
    text = page.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    idle = "\n".join(f"- `{program}` {why}." for program, why in NOT_RUN)
    page.write_text(f"{before}{BEGIN}\n{counts(results, releases)}\n\nAn empty cell: not asked. Programs that are not run:\n\n{idle}\n\n"
                    f"{table(results, releases)}\n{END}{after}")


def forgotten(results):
    """Files that nobody runs and NOT_RUN does not explain."""
    return [result["file"] for result in results if result["verifies"] == "yes" and "runs" not in result
            and not any(fnmatch.fnmatch(result["program"], pattern) for pattern, _ in NOT_RUN)]


def summarise(results, releases):
    """Prints what is not `yes`; 1 if there is any without a reason."""
    for file in forgotten(results):
        print(f"{file}: no reference in NumPy")
    status = len(forgotten(results)) > 0
    for column in columns(releases):
        asked = [result for result in results if column.said(result) is not None]
        objections = collections.defaultdict(list)
        for result in asked:
            if column.said(result) != "yes":
                objections[column.reason(result), column.said(result)].append(result["file"])
        print(f"{column.title}: {len(asked) - sum(map(len, objections.values()))} of {len(asked)}")
        for (letter, text), files in objections.items():
            status = status or not letter
            print(f"    {text}{f' -- reason {letter}' if letter else ''}\n        {' '.join(files)}")
    return int(status)
