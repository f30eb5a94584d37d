"""C++ snippets and what g++ makes of them: tests/port/differential.

A file NAME.txt there holds snippets. Each begins with a line ``=== what it shows``. It is either a list of statements,
or declarations with the function ``void snippet()`` or ``int main(...)``. A first line ``// arguments: a b`` gives the
arguments of main. NAME.expected has the same headings, each with the output of the program that g++ made. An exit code
other than 0 is recorded as a last line.

After a change of a snippet run ``tools/differential``, which writes the records anew.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "port" / "differential"
FLAGS = ("-std=c++17", "-fwrapv", "-O0", "-Wall", "-Wno-unused", "-Wno-dangling-else")


@dataclass(frozen=True)
class Snippet:
    """One snippet: what it shows, its text as written, and the program text with an entry function."""

    name: str
    text: str

    @property
    def source(self) -> str:
        """The text of a macro ``snippet.C``."""
        if self._has_main or re.search(r"^void snippet\(\)", self.text, re.MULTILINE):
            return self.text
        indented = "\n".join(f"  {line}" if line else "" for line in self.text.rstrip().split("\n"))
        return f"void snippet() {{\n{indented}\n}}\n"

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of the program."""
        match = re.match(r"// arguments: (.*)\n", self.text)
        return tuple(match[1].split()) if match else ()

    @property
    def _has_main(self) -> bool:
        return re.search(r"^int main\(", self.text, re.MULTILINE) is not None

    def in_namespace(self, number: int) -> str:
        """C++ in a namespace of its own, with a function ``run(argc, argv)`` and without its macros after it."""
        if not self._has_main:
            entry = "snippet(); return 0;"
        elif "int main()" in self.text:
            entry = "return main();"
        else:
            entry = "return main(argc, argv);"
        macros = "".join(f"#undef {name}\n" for name in re.findall(r"^ *#define (\w+)", self.text, re.MULTILINE))
        return (
            f"namespace snippet_{number} {{\n{self.source}\n"
            f"int run(int argc, char **argv) {{ (void)argc; (void)argv; {entry} }}\n}}\n{macros}"
        )


def sections(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (heading, text below it); a blank line before the next heading belongs to no text."""
    parts = re.split(r"^=== (.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if parts[0].strip():
        raise ValueError(f"{path}: text before the first heading")
    yield from zip(parts[1::2], parts[2::2], strict=True)


def snippets(path: Path) -> list[Snippet]:
    """Return the snippets of a file."""
    return [Snippet(name, text.rstrip("\n") + "\n") for name, text in sections(path)]


def expected(path: Path) -> dict[str, str]:
    """Return the recorded output by heading."""
    return dict(sections(path.with_suffix(".expected")))


def record(output: str, exit_code: int) -> str:
    """Return what is recorded of one run: the output, and the exit code if it is not 0."""
    return output + (f"[exit code {exit_code}]\n" if exit_code else "")


def program(several: list[Snippet]) -> str:
    """Return one C++ program that runs the snippet whose number is its first argument."""
    bodies = "\n".join(snippet.in_namespace(number) for number, snippet in enumerate(several))
    cases = "\n".join(f"    case {i}: return snippet_{i}::run(argc - 1, argv + 1);" for i in range(len(several)))
    return (
        "#include <bits/stdc++.h>\n"
        f"{bodies}\nint main(int argc, char **argv) {{\n  switch (atoi(argv[1])) {{\n{cases}\n  }}\n  return 99;\n}}\n"
    )


def outputs(several: list[Snippet], *flags: str) -> list[str]:
    """Compile snippets with g++ in one program, run them one by one, and return what each records.

    Raises
    ------
    RuntimeError
        if g++ refuses the program.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, executable = Path(folder) / "program.cpp", Path(folder) / "program"
        source.write_text(program(several), encoding="utf-8")
        command = ["g++", *FLAGS, *flags, "-o", str(executable), str(source)]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if outcome.returncode:
            raise RuntimeError(outcome.stderr)
        records = []
        for number, snippet in enumerate(several):
            run = [str(executable), str(number), *snippet.arguments]
            outcome = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
            if not outcome.stdout.endswith("\n"):
                raise RuntimeError(f"{snippet.name}: {outcome.stdout!r} ends without a new line")
            records.append(record(outcome.stdout, outcome.returncode))
    return records


def compiled_records(path: Path, flags: tuple[str, ...] = ()) -> dict[str, str]:
    """Return what g++ makes of the snippets of a file, by heading."""
    several = snippets(path)
    return dict(zip((snippet.name for snippet in several), outputs(several, *flags), strict=True))


def main() -> None:
    """Write the records of all files, or of those that are named."""
    paths = [FOLDER / f"{name}.txt" for name in sys.argv[1:]] or sorted(FOLDER.glob("*.txt"))
    with ThreadPoolExecutor(2) as pool:
        strict = partial(compiled_records, flags=("-Werror",))
        for path, records in zip(paths, pool.map(strict, paths), strict=True):
            text = "".join(f"=== {name}\n{output}" for name, output in records.items())
            path.with_suffix(".expected").write_text(text, encoding="utf-8")
            print(f"{path.name}: {len(records)} snippets")


if __name__ == "__main__":
    main()
