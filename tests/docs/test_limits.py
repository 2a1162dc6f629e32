"""The limits of docs/interop.md, compared with the constants of the readers."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What the page says, and where the number stands.
LIMITS = {
    "text that a `.sdfgz` unpacks to": ("src/interchange/gzip.cpp", "kMaxText"),
    "JSON objects and arrays in each other, nested SDFGs counted in": ("src/interchange/document.h", "kMaxDepth"),
    "JSON values in a file": ("src/interchange/document.cpp", "kMaxValues"),
    "characters of a symbolic expression": ("src/interchange/expression_parse.cpp", "kMaxExpression"),
    "brackets and calls in each other in a symbolic expression": ("src/interchange/expression_parse.cpp", "kMaxNesting"),
    "elements of a vector type": ("src/interchange/dtype.cpp", "kMaxLanes"),
    "regions and nested SDFGs in each other": ("src/ir/verify/verification.h", "kMostLevels"),
    "ids that the textual form leaves out": ("src/ir/text/cursor.cpp", "kMost"),
    "brackets in each other in Python code": ("src/code/lexer.cpp", "kMaxBrackets"),
    "operands in each other in Python code": ("src/code/parse_expression.cpp", "kMaxNesting"),
    "operations chained in one expression of Python code": ("src/code/parse_expression.cpp", "kMaxHeight"),
    "levels of indentation in Python code": ("src/code/lexer.cpp", "kMaxIndents"),
}


def constant(file, name):
    """The value of `constexpr type name = value;`, in units of GiB where it is shifted by 30."""
    text = re.search(rf"constexpr [\w:]+ {name} = ([^;]+);", (ROOT / file).read_text()).group(1)
    return int(re.match(r"(?:std::size_t\{)?([\d']+)", text).group(1).replace("'", ""))


def test_the_page_states_the_limits_of_the_readers():
    section = (ROOT / "docs/interop.md").read_text().partition("## Limits")[2].partition("\n## ")[0]
    stated = {what: int(number) for what, number in re.findall(r"^\| (.+?) \| (\d+)(?: GiB)? \| [A-Z]\d{3}", section, re.MULTILINE)}
    assert stated == {what: constant(*place) for what, place in LIMITS.items()}
