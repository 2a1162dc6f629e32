"""Draws graphs in the viewer SDFV that comes with a release of DaCe, in a browser without a window ($BROWSER_COMMAND, else chromium).

Every node of the file, those of regions and nested SDFGs too, must be laid out, and nothing may be reported as an error.
"""
import gzip
import html
import json
import os
import pathlib
import re
import subprocess
import tempfile

SECONDS = 300  # for one page of graphs
GRAPHS = 25  # of one page

SCRIPT = """<pre id="outcome"></pre><script>
const texts = TEXTS, outcome = {};
let current;
const note = (error) => outcome[current].push(String(error && error.message || error));
window.addEventListener('error', (event) => note(event.error || event.message));
window.addEventListener('unhandledrejection', (event) => note(event.reason));
console.error = (...all) => note(all.join(' '));
const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));

function nodesOfFile(value) {
    if (value === null || typeof value !== 'object') return 0;
    let count = Array.isArray(value.nodes) && Array.isArray(value.edges) ? value.nodes.length : 0;
    if (Array.isArray(value.branches)) count += value.branches.length;
    for (const part of Object.values(value)) count += nodesOfFile(part);
    return count;
}

function nodesDrawn(graph) {
    return graph ? graph.nodes().map((id) => graph.node(id)).reduce((count, node) => count + 1 + nodesDrawn(node.data.graph), 0) : 0;
}

document.addEventListener('DOMContentLoaded', async () => {
    const viewer = WebSDFV.getInstance();
    for (const [id, text] of Object.entries(texts)) {
        outcome[current = id] = [];
        try {
            const graph = checkCompatLoad(parse_sdfg(text));
            const wanted = nodesOfFile(graph);
            viewer.setSDFG(graph, null, false);
            let drawn = 0;
            for (let left = 50; left > 0 && drawn !== wanted && outcome[id].length === 0; --left) {
                await pause(20);
                drawn = nodesDrawn(viewer.renderer?.graph);
            }
            if (drawn !== wanted) note(`${drawn} of ${wanted} nodes are drawn`);
        } catch (error) {
            note(error);
        }
        document.getElementById('outcome').textContent = JSON.stringify(outcome);
    }
});
</script></body>"""


def draw(site, files):
    """`yes` or the first error, by id. `site`: the packages of an environment with DaCe; `files`: paths by id."""
    answers = {}
    ids = list(files)
    for start in range(0, len(ids), GRAPHS):
        answers |= page({each: files[each] for each in ids[start:start + GRAPHS]}, pathlib.Path(site) / "dace/viewer/webclient")
    return answers


def text_of(file):
    data = pathlib.Path(file).read_bytes()
    return (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode()


def page(files, client):
    texts = json.dumps({id: text_of(file) for id, file in files.items()}).replace("</", "<\\/")
    document = (client / "index.html").read_text().replace('"./', f'"{client.as_uri()}/')
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "page.html"
        path.write_text(document.replace("</body>", SCRIPT.replace("TEXTS", texts)))
        browser = subprocess.run([os.environ.get("BROWSER_COMMAND", "chromium"), "--headless", "--no-sandbox", "--disable-gpu",
                                  "--allow-file-access-from-files", f"--user-data-dir={folder}/profile",
                                  f"--virtual-time-budget={SECONDS * 1000}", "--dump-dom", path.as_uri()],
                                 capture_output=True, text=True, timeout=SECONDS)
    found = re.search(r'<pre id="outcome">(.*?)</pre>', browser.stdout, re.DOTALL)
    outcome = json.loads(html.unescape(found[1]) or "{}") if found else {}
    return {id: (outcome[id] or ["yes"])[0] if id in outcome else "the viewer does not come to it" for id in files}
