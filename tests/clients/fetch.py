# SPDX-License-Identifier: MIT
"""Programs of others, from package registries into a cache folder: each pinned by its version, and by a checksum where
the registry does not sign."""
import base64
import hashlib
import os
import shutil
import subprocess

DEBIAN = "http://deb.debian.org/debian"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
SECONDS = 600


class Unavailable(Exception):
    """A client cannot run here, and why."""


def run(command, what, seconds=SECONDS, **options):
    """Runs a program that gets something; what cannot be got makes the client unavailable."""
    try:
        done = subprocess.run(command, check=False, timeout=seconds, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{what}: {error}") from error
    if done.returncode != 0:
        raise Unavailable(f"{what}: {done.stdout.strip()[-300:]}")


def once(folder, make):
    """Fills a folder by `make` unless it is there; one that was made half does not stay."""
    if not os.path.isdir(folder):
        fresh = folder + ".new"
        shutil.rmtree(fresh, ignore_errors=True)
        os.makedirs(fresh)
        make(fresh)
        os.rename(fresh, folder)
    return folder


def npm(cache, name, version, integrity):
    """The unpacked package; `integrity` is the registry's sha512 of the tarball."""

    def make(folder):
        run(["npm", "pack", "--silent", "--ignore-scripts", f"{name}@{version}"], f"npm package {name}", cwd=folder)
        archive, = [entry for entry in os.listdir(folder) if entry.endswith(".tgz")]
        path = os.path.join(folder, archive)
        with open(path, "rb") as file:
            digest = "sha512-" + base64.b64encode(hashlib.sha512(file.read()).digest()).decode()
        if digest != integrity:
            raise ValueError(f"npm package {name} {version} is {digest}")
        run(["tar", "-C", folder, "-xzf", path], f"npm package {name}")
        os.remove(path)

    return os.path.join(once(os.path.join(cache, f"{name.replace('/', '-')}-{version}"), make), "package")


def apt_configuration(cache, suite):
    """Sources of one Debian suite, in a configuration of their own: the system's stays as it is."""
    if not os.path.exists(KEYRING):
        raise Unavailable("Debian's source packages: no keyring of Debian's archive")
    root = os.path.join(cache, f"apt-{suite}")
    for folder in ("lists/partial", "archives/partial"):
        os.makedirs(os.path.join(root, folder), exist_ok=True)
    with open(os.path.join(root, "sources.list"), "w", encoding="utf-8") as file:
        file.write(f"deb-src [signed-by={KEYRING}] {DEBIAN} {suite} main\n")
    open(os.path.join(root, "status"), "a", encoding="utf-8").close()
    settings = {"Dir::State": root, "Dir::State::lists": f"{root}/lists", "Dir::State::status": f"{root}/status",
                "Dir::Cache": root, "Dir::Etc::sourcelist": f"{root}/sources.list", "Dir::Etc::sourceparts": "-",
                "APT::Sandbox::User": "root"}
    path = os.path.join(root, "apt.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f'{name} "{value}";\n' for name, value in settings.items())
    return dict(os.environ, APT_CONFIG=path)


def debian_source(cache, name, version, suite):
    """The folder of a source package's upstream files, which apt has compared with Debian's signed list."""

    def make(folder):
        environment = apt_configuration(os.path.abspath(cache), suite)
        what = f"source package {name} {version}"
        run(["apt-get", "-q", "update"], what, env=environment)
        run(["apt-get", "-q", "source", "--download-only", f"{name}={version}"], what, env=environment, cwd=folder)
        for archive in sorted(os.listdir(folder)):
            path = os.path.join(folder, archive)
            if ".orig" in archive and ".tar." in archive and not archive.endswith(".asc"):
                run(["tar", "-C", folder, "-xf", path], what)
            if os.path.isfile(path):
                os.remove(path)

    folder = once(os.path.join(os.path.abspath(cache), f"{name}-{version}"), make)
    return os.path.join(folder, next(entry for entry in sorted(os.listdir(folder))))
