"""Words of the project's own that gave way to those of the field stay away: allocation scope, conflict, owner, concurrent, given, cost."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
GONE = re.compile(r"\b(homes?|clash(?:es|ed|ing)?|told|weigh(?:s|ed|ing)?)\b|\b\w*_(?:homes?|clash|told|beside)\b|\b(?:told|beside)_\w*|[a-z]Beside(?:[A-Z]|\b)",
                  re.IGNORECASE)
ALLOWED = re.compile(r"HOME\b|\.config")  # the user's folder


def test_in_code_and_pages():
    files = [path for folder in ("src", "tools", "python/sluice", "docs", "examples") for path in (ROOT / folder).rglob("*")
             if path.suffix in (".cpp", ".h", ".py", ".md")] + [*ROOT.glob("*.md")]
    assert len(files) > 1000
    found = [f"{path.relative_to(ROOT)}:{number}: {line.strip()}" for path in files if path.name != "CHANGELOG.md"
             for number, line in enumerate(path.read_text().splitlines(), 1) if GONE.search(line) and not ALLOWED.search(line)]
    assert not found, "\n".join(found)
