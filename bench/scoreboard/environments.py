"""The peers, and the Python that runs each: environments of their own below build/scoreboard/env, made when a peer is first asked for."""
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build" / "scoreboard"
PEERS = ("numpy", "sluice", "numba", "numba_parallel", "jax", "pythran", "dace", "c")
TITLES = {"numpy": "NumPy", "sluice": "Sluice", "numba": "Numba", "numba_parallel": "Numba parallel", "jax": "JAX", "pythran": "Pythran",
          "dace": "DaCe", "c": "C"}
PACKAGES = {"numba": ["numba", "scipy"], "jax": ["jax"], "pythran": ["pythran", "scipy", "setuptools"],
            "dace": ["dace", "networkx<3.6", "setuptools"]}  # DaCe 1.0 fails with networkx 3.6
OF = {"numba_parallel": "numba"}


def python_of(peer):
    """The interpreter for a peer; None where it cannot be had, with a word on standard error."""
    name = OF.get(peer, peer)
    if name == "c" and not shutil.which("gcc"):
        print("C: there is no gcc", file=sys.stderr)
        return None
    if name not in PACKAGES:
        return sys.executable
    folder = BUILD / "env" / name
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        print(f"installing {' '.join(PACKAGES[name])} into {folder}", file=sys.stderr, flush=True)
        try:
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES[name]], check=True)
        except subprocess.CalledProcessError as error:
            print(f"{TITLES[peer]}: {error}", file=sys.stderr)
            return None
        (folder / "ready").touch()
    return str(python)
