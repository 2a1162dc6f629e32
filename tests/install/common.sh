# Sourced by the scripts beside it: SOURCE is the clone, WORK an empty folder that goes away, BUILD what `make build` left.
set -euo pipefail
SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=$SOURCE/build/release
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
export SLUICE_CACHE=$WORK/cache
cd "$WORK"

# The snippet in this language of a section of the README.
snippet() {
    sed -n "/^## $1\$/,/^## /p" "$SOURCE/README.md" | sed -n "/^\`\`\`$2\$/,/^\`\`\`\$/p" | sed '1d;$d'
}
# expect TEXT COMMAND...: its output, standard error included, holds the text.
expect() {
    local text=$1 output
    shift
    output=$("$@" 2>&1) || true
    [[ $output == *"$text"* ]] || { printf 'expected "%s" from: %s\n%s\n' "$text" "$*" "$output" >&2; exit 1; }
}
