"""The table of docs/interop.md and the summary on the terminal."""
import collections

BEGIN, END = "<!-- table -->", "<!-- end of table -->"


def columns(releases):
    """(title, value of a result; missing: does not apply)."""
    found = [("loads", lambda r: r.get("loads")), ("verifies", lambda r: r.get("verifies")), ("byte-stable", lambda r: r.get("stable")),
             ("runs, as NumPy", lambda r: r.get("runs"))]
    for release in releases:
        found.append((f"DaCe {release} loads", lambda r, v=release: r.get("dace", {}).get(v, {}).get("loads")))
        found.append((f"DaCe {release} runs, same", lambda r, v=release: r.get("dace", {}).get(v, {}).get("runs")))
    return found


def summarise(results, releases):
    """Prints what is not `yes`; 1 if there is any."""
    status = 0
    for title, value in columns(releases):
        values = [value(result) for result in results]
        good = sum(v == "yes" for v in values)
        print(f"{title}: {good} of {sum(v is not None for v in values)}")
        said = collections.defaultdict(list)
        for result, v in zip(results, values):
            if v not in (None, "yes"):
                said[v].append(result["file"])
        for text, files in said.items():
            status = 1
            print(f"    {text}\n        {' '.join(files)}")
    return status
