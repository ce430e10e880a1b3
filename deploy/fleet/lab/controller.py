# SPDX-License-Identifier: GPL-2.0
"""Ansible, in an environment of its own in the cache, and what a playbook came to."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import cache
from machines import Machine, ssh_options

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
ROLE = cache.REPO / "deploy/fleet/ansible"
RECAP = re.compile(r"^(?P<host>\S+) +: ok=\d+ +changed=(?P<changed>\d+) ", re.MULTILINE)


class Outcome(NamedTuple):
    status: int
    changed: dict[str, int]  # tasks that changed something, by host
    text: str


def programs() -> Path:
    """The directory of ansible-playbook and its like."""
    venv = cache.root() / "ansible"
    with cache.lock("ansible"):
        stamp = venv / REQUIREMENTS.name
        if not (stamp.exists() and stamp.read_text() == REQUIREMENTS.read_text()):
            cache.say(f"Ansible, by pip into {venv}")
            shutil.rmtree(venv, ignore_errors=True)
            subprocess.run([sys.executable, "-m", "venv", venv], check=True)
            subprocess.run([venv / "bin/pip", "-q", "--disable-pip-version-check", "install", "-r", REQUIREMENTS], check=True)
            shutil.copy(REQUIREMENTS, stamp)
    return venv / "bin"


def environment(folder: Path) -> dict[str, str]:
    """Nothing of this user's own settings; FOLDER for what Ansible writes."""
    return {**os.environ, "PATH": f"{programs()}:{os.environ['PATH']}", "ANSIBLE_HOME": str(folder), "ANSIBLE_LOCAL_TEMP": str(folder / "tmp"),
            "ANSIBLE_CONFIG": str(ROLE / "ansible.cfg"), "ANSIBLE_NOCOLOR": "true", "LC_ALL": "C.UTF-8"}


def inventory(hosts: list[Machine], folder: Path, settings: dict, known_of: dict[str, dict]) -> Path:
    """A file in JSON, which is YAML: HOSTS as the group tcp_abt; KNOWN_OF: host -> variables of its own."""
    known = {host.name: {"ansible_host": host.address, "ansible_user": "root", "ansible_python_interpreter": "/usr/bin/python3",
                         "ansible_ssh_common_args": " ".join(ssh_options(host.key)), **known_of.get(host.name, {})} for host in hosts}
    path = folder / "hosts.yml"
    path.write_text(json.dumps({"all": {"vars": settings}, "tcp_abt": {"hosts": known}}))
    return path


def play(hosts: list[Machine], folder: Path, playbook: str = "site.yml", known_of: dict[str, dict] | None = None, **settings: object) -> Outcome:
    """A playbook with these variables, of all hosts."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([programs() / "ansible-playbook", "-i", inventory(hosts, folder, settings, known_of or {}), ROLE / playbook], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False, env=environment(folder))
    text = done.stdout + done.stderr
    return Outcome(done.returncode, {match["host"]: int(match["changed"]) for match in RECAP.finditer(text)}, text)
