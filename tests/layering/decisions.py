#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The last column of docs/decisions.md: every decision has a number of its own, and names scenes and tests that
exist, or says why nothing can show it.

usage: decisions.py ROOT
"""
import collections
import pathlib
import re
import sys

NOTHING = re.compile(r"not testable: \S.*")


def by_name(root, folders, suffix):
    """Files by their name without folder and suffix."""
    files = collections.defaultdict(list)
    for folder in folders:
        for path in (root / folder).rglob("*" + suffix):
            files[path.stem].append(path)
    return files


def defines(path, function):
    pattern = rf"^\s*def {function}\(" if path.suffix == ".py" else rf"^static void {function}\(void \*\*"
    return re.search(pattern, path.read_text(), re.M) is not None


class Names:
    """What the column may name."""

    def __init__(self, root):
        self.scenes = by_name(root, ["tests/scenes", "demo"], ".scene")
        self.tests = by_name(root, ["tests/unit", "tests/guest", "tests/serve"], ".c")
        for name, paths in by_name(root, ["tests/unit", "tests/install", "tests/layering", "script/lib"], ".py").items():
            self.tests[name] += paths

    def problem(self, name):
        """What is wrong with a name; None when it stands for one scene or one test."""
        file, colon, function = name.partition(":")
        if colon:
            found = [path for path in self.tests.get(file, []) if defines(path, function)]
        else:
            found = self.scenes.get(name, [])
        if not found:
            return f"there is no {'test' if colon else 'scene'} {name}"
        if len(found) > 1:
            return f"{name} may be any of " + ", ".join(sorted(str(path) for path in found))
        return None


def rows(text):
    """The cells of each row, which ends with the column in question."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells and re.fullmatch(r"[A-Z]\d+", cells[0]):
            yield cells


def problems(root):
    names, seen = Names(root), set()
    for cells in rows((root / "docs/decisions.md").read_text()):
        number, shown = cells[0], cells[-1]
        if number in seen:
            yield f"{number} is there twice"
        seen.add(number)
        if len(cells) < 5:
            yield f"{number}: nothing shows it"
        elif not NOTHING.fullmatch(shown):
            quoted = re.findall(r"`([^`]+)`", shown)
            if not quoted or re.sub(r"`[^`]+`", "", shown).strip(", "):
                yield f"{number}: '{shown}' is neither a list of names nor a reason"
            for name in quoted:
                problem = names.problem(name)
                if problem:
                    yield f"{number}: {problem}"
    if not seen:
        yield "docs/decisions.md has no rows"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = list(problems(pathlib.Path(sys.argv[1])))
    for problem in found:
        print(problem)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
