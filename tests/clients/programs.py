# SPDX-License-Identifier: MIT
"""Clients whose cases are parts of programs: these say `pass CASE` or `fail CASE: why` of each, leave pictures CASE.pam
in the folder CLIENT_FOLDER, and say `done` at their end."""
import os
import shutil
import threading

import frame
import pictures
import wines_own

EXIT = "ends_cleanly"  # the case that the program has come to its end, and that the host had nothing to say


def outcomes(text):
    """What the words of a program say of each case."""
    found = {}
    for line in text.split("\n"):
        word, _, rest = line.partition(" ")
        name, _, why = rest.partition(": ")
        if word == "pass" and rest:
            found.setdefault(rest.strip(), "")
        elif word == "fail" and why and not found.get(name):
            found[name] = why
    return found


def windows(path):
    """How a program under Wine names a file."""
    return "Z:" + os.path.abspath(path).replace("/", "\\")


class Programs(frame.Client):
    """What derives from it sets `names` and `commands` (programs with their arguments) when it prepares."""
    whose = "Wine's own"
    wrong_there = ()  # cases whose picture is wrong on the other side, though the program does not notice
    variables = {}
    options = ()
    seconds = 240

    def __init__(self, name):
        self.name, self.names, self.commands = name, [], []
        self.lock, self.found = threading.Lock(), None

    def cases(self):
        return [*self.names, EXIT]

    def folder(self, whose):
        path = os.path.join(os.path.abspath(frame.OUT), self.name, whose)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

    def outcomes(self, text):
        """What the words of the programs say of each case."""
        return outcomes(text)

    def run_others(self, folder):
        """The words of the same programs elsewhere, with their pictures in the folder; None if they cannot run there."""
        other = wines_own.WinesOwn(frame.CACHE)
        if not other.start():
            return None
        try:
            return "".join(other.run(program, *arguments, seconds=self.seconds, folder=os.path.dirname(program),
                                     CLIENT_FOLDER=windows(folder), **self.variables)
                           for program, *arguments in self.commands)
        finally:
            other.stop()

    def run_ours(self, folder):
        """The words of all programs, and why they did not end cleanly."""
        words, whys = "", []
        for program, *arguments in self.commands:
            run = frame.run_program(self.tool, program, *arguments, seconds=self.seconds, options=self.options,
                                    CLIENT_FOLDER=windows(folder), **self.variables)
            words += run.text + "".join(f"{diag['code']}: {diag['message']}\n" for diag in run.diags)
            if run.status is None:
                whys.append("out of time")
            elif run.status != 0 or "done" not in run.text.split("\n"):
                whys.append(f"exit status {run.status}")
            elif run.diags:
                whys.append(f"{len(run.diags)} diagnostics, first {run.diags[0]['code']}: {run.diags[0]['message']}")
            else:
                continue
            whys[-1] = f"{os.path.basename(program)}: {whys[-1]}"
        return words, ", ".join(whys)

    def run_all(self):
        ours, theirs = self.folder("ours"), self.folder("theirs")
        words, why = self.run_ours(ours)
        with open(os.path.join(frame.OUT, f"{self.name}.txt"), "w", encoding="utf-8") as file:
            file.write(words)
        self.found = self.outcomes(words) | {EXIT: why}
        self.compare(ours, theirs)

    def compare(self, ours, theirs):
        """Compares the pictures of the cases that are right on both sides."""
        try:
            text = self.run_others(theirs)
        except wines_own.Failed as why:
            # What was said until then counts.
            text = why.args[1] if len(why.args) > 1 else ""
            self.found[EXIT] = ", ".join(filter(None, (self.found[EXIT], f"{self.whose}: {why.args[0]}")))
        elsewhere = self.outcomes(text or "")
        print(f"clients: {self.name}: "
              f"{sum(not why for why in elsewhere.values())} of {len(self.names)} pass on {self.whose}" if text is not None
              else f"clients: {self.name}: no Xvfb, so that no pictures are compared", flush=True)
        self.page = pictures.Page(os.path.join(frame.OUT, self.name, "pages"), self.name)
        for case in self.names:
            mine = pictures.read(os.path.join(ours, f"{case}.pam"))
            other = pictures.read(os.path.join(theirs, f"{case}.pam"))
            if mine and other and elsewhere.get(case) == "":
                why = self.page.compare(case, mine, other, self.whose)
                if why and not self.found.get(case) and case not in self.wrong_there:
                    self.found[case] = f"not the picture of {self.whose}: {why}"
            elif mine:
                self.page.add(case, "the project's, alone", mine)
            elif other and elsewhere.get(case) == "" and not self.found.get(case):
                self.found[case] = f"left no picture, as that of {self.whose}"

    def run(self, case):
        with self.lock:
            if self.found is None:
                self.run_all()
        why = self.found.get(case, "the program says nothing of it")
        return frame.Outcome(not why, why)

