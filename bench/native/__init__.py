"""The parts in C: the load generator and the echo server, compiled on demand."""

import shutil
import subprocess
from pathlib import Path

from bench.measure import CannotMeasure

HERE = Path(__file__).parent
BUILD = HERE / "build"


def compiled(source: str, *, library: bool = False) -> Path:
    """The program or library built from that file; rebuilt if the file has changed."""
    path = HERE / source
    target = BUILD / (path.stem + (".so" if library else ""))
    if target.exists() and target.stat().st_mtime > path.stat().st_mtime:
        return target
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise CannotMeasure("a C compiler (cc or gcc) is needed for the load generator")
    BUILD.mkdir(exist_ok=True)
    options = ["-shared", "-fPIC"] if library else []
    subprocess.run(
        [compiler, "-O3", "-Wall", "-Wextra", *options, str(path), "-o", str(target)], check=True
    )
    return target
