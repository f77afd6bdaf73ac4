# SPDX-License-Identifier: MIT
"""Runs programs of others (clients.py has their table) with the project's Direct3D under Wine, and compares each case
with the client's baseline, tests/clients/NAME.toml:

    passes = [...]      # names of cases
    [fails]
    name = "why"

A case that fails though the baseline has it among those that pass is a failure, and so is one that passes though it
should not, or that the baseline does not name.
"""
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import tempfile
import tomllib

import fetch

HERE = os.path.dirname(os.path.abspath(__file__))
CACHE = os.environ.get("AEROGPU_CLIENTS_CACHE") or os.path.join(".cache", "clients")
OUT = "build/test-out/clients"
DRIVER = "lavapipe"

# What one run of a program came to: exit status (None: out of time), its words, and what the host said of it.
Run = collections.namedtuple("Run", "status text diags presents")
# What a case came to.
Outcome = collections.namedtuple("Outcome", "passed why")


def judged(run, failures):
    """What a program came to that tells how many tests it executed, and of each failure in a line."""
    errors = [diag for diag in run.diags if diag["severity"] == "error"]
    if run.status is None:
        why = "out of time"
    elif "tests executed" not in run.text:
        why = f"no summary, status {run.status}"
    elif failures:
        why = f"{len(failures)} failures, first {failures[0]}"
    elif errors:
        why = f"the host says {errors[0]['code']}: {errors[0]['message']}"
    else:
        return Outcome(True, "")
    return Outcome(False, why)


class Client:
    """A program, or a family of them, with cases that have names."""
    name = ""
    is_daily = False  # whether script/test runs it without being asked, where Wine is installed
    programs = {"wine64": "wine64", "x86_64-w64-mingw32-gcc": "gcc-mingw-w64-x86-64"}  # and Debian's packages
    seconds = 60
    jobs = 1
    page = None  # of pictures (pictures.Page), once there are some

    def prepare(self, cache):
        """Fetches and builds into the cache; fetch.Unavailable: it cannot run here."""
        raise NotImplementedError

    def cases(self):
        """The names of all cases, once it is prepared."""
        raise NotImplementedError

    def daily_cases(self):
        """Those of a daily run."""
        return self.cases()

    def run(self, case):
        """The Outcome of one case."""
        raise NotImplementedError

    def begin(self, cases):
        """What run() will be asked for, in this order."""

    def find_programs(self):
        places = os.environ.get("PATH", "") + ":/usr/lib/wine"
        lacking = [package for program, package in self.programs.items() if not shutil.which(program, path=places)]
        if lacking:
            raise fetch.Unavailable(f"the packages {' '.join(lacking)} are not installed")

    def baseline(self):
        path = os.path.join(HERE, f"{self.name}.toml")
        if not os.path.exists(path):
            return set(), {}
        with open(path, "rb") as file:
            content = tomllib.load(file)
        return set(content.get("passes", [])), content.get("fails", {})


def run_program(tool, program, *arguments, seconds=60, options=(), **variables):
    """Runs a Windows program with our Direct3D in the prefix of the tests, without an X server, in its own folder."""
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.abspath(CACHE), **variables)
    environment.pop("DISPLAY", None)
    # A software driver on a busy machine is no GPU that hangs.
    command = [os.path.abspath(tool), "run", "--json", "--driver", DRIVER, "--timeout", str(seconds), "--gpu-timeout",
               str(seconds), *options, os.path.abspath(program), "--", *arguments]
    # A file, not a pipe: some programs do not start with one.
    with tempfile.TemporaryFile() as words:
        try:
            status = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=words,
                                    stderr=subprocess.STDOUT, timeout=seconds + 60, env=environment,
                                    cwd=os.path.dirname(os.path.abspath(program))).returncode
        except subprocess.TimeoutExpired:
            status = None
        words.seek(0)
        output = words.read()
    lines = output.decode(errors="replace").replace("\r", "").split("\n")
    report = {}
    for line in lines:
        if line.startswith('{"'):
            try:
                report = json.loads(line)
            except ValueError:
                pass
    diags = [diag for diag in report.get("diags", []) if diag["severity"] != "note"]
    status = None if any(diag["code"] == "scene.timeout" for diag in diags) else report.get("exit_status", status)
    return Run(status, "\n".join(line for line in lines if not line.startswith('{"')), diags, report.get("presents", 0))


def count(results, client, case, outcome, passes, fails):
    name = f"{client.name}/{case}"
    if outcome.passed and case in passes:
        results.good()
    elif outcome.passed:
        results.bad("clients", name, "passes, which the baseline does not say")
    elif case in fails:
        results.known_gap("clients", name, fails[case])
    else:
        results.bad("clients", name, outcome.why)


def run_client(results, client, cases=(), daily=False):
    try:
        client.find_programs()
        client.prepare(CACHE)
    except fetch.Unavailable as lacking:
        results.skip("clients", client.name, str(lacking).replace("\n", " "))
        return
    names = list(client.cases())
    passes, fails = client.baseline()
    cases = client.daily_cases() if daily else cases
    wanted = [name for name in names if not cases or name in cases]
    client.begin(wanted)
    for unknown in sorted(set(cases) - set(names)):
        results.bad("clients", f"{client.name}/{unknown}", "the client has no such case")
    for gone in sorted((passes | set(fails)) - set(names)):
        results.bad("clients", f"{client.name}/{gone}", "the client has no such case")
    good = 0
    with concurrent.futures.ThreadPoolExecutor(client.jobs) as pool:
        for name, outcome in zip(wanted, pool.map(client.run, wanted)):
            count(results, client, name, outcome, passes, fails)
            good += outcome.passed
    print(f"clients: {client.name}: {good} of {len(wanted)} pass", flush=True)


def has_wine():
    return any(shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/lib/wine") for name in ("wine64", "wine"))


def suite(results, clients, tool, pages=None, daily=False):
    """Runs clients, or some cases of them; `pages` gives the folder of a client's page of pictures."""
    os.makedirs(CACHE, exist_ok=True)
    os.makedirs(OUT, exist_ok=True)
    for client, cases in clients:
        client.tool = tool
        run_client(results, client, cases, daily)
        if pages is not None and client.page is not None:
            client.page.write(pages(client.name))
