# SPDX-License-Identifier: GPL-2.0
"""The Dockerfile's steps, read, and run without a container: what a distribution's packages bring is there."""

import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

import cache
import modinfo
from kernels import Kernel

HERE = Path(__file__).resolve().parent
# KMM gives these to every build
GIVEN = {"KERNEL_FULL_VERSION", "KERNEL_VERSION", "MOD_NAME", "MOD_NAMESPACE"}
# What a step may write to, and what it finds there instead
WRITTEN = {"/opt": "opt", "/usr/src": "src"}


class Step(NamedTuple):
    word: str
    rest: str


def steps() -> list[Step]:
    lines = [line for line in (HERE / "Dockerfile").read_text().splitlines() if not line.startswith("#")]
    whole = re.sub(r"\\\n", "", "\n".join(lines))
    return [Step(*line.split(None, 1)) for line in whole.splitlines() if line.strip()]


def stages() -> list[list[Step]]:
    """What comes before the first FROM, and each stage from its FROM on."""
    found: list[list[Step]] = [[]]
    for step in steps():
        if step.word == "FROM":
            found.append([])
        found[-1].append(step)
    return found


def arguments(stage: list[Step]) -> dict[str, str | None]:
    """Names of ARG, and their defaults."""
    pairs = (step.rest.partition("=") for step in stage if step.word == "ARG")
    return {name: value if equals else None for name, equals, value in pairs}


def runs(stage: list[Step]) -> list[str]:
    """But the one that installs packages."""
    return [step.rest for step in stage if step.word == "RUN" and "apt-get" not in step.rest]


def clean(values: dict[str, str]) -> list[str]:
    """The environment of a step: what ARG declares, and no more."""
    path = f"PATH={cache.search_path()}"
    return ["env", "-i", path, *(f"{name}={value}" for name, value in values.items())]


def refusal(values: dict[str, str]) -> str:
    """What the first step says of build arguments; nothing if it takes them."""
    done = subprocess.run([*clean(values), "/bin/sh", "-c", runs(stages()[1])[0]], capture_output=True, text=True, check=False)
    return (done.stderr.strip() or "no words") if done.returncode else ""


def may_mount() -> bool:
    asked = subprocess.run(["unshare", "--map-root-user", "--mount", "true"], capture_output=True, check=False)
    return asked.returncode == 0 and all(map(Path.is_dir, map(Path, WRITTEN)))


def build(kernel: Kernel, values: dict[str, str], scratch: Path) -> str:
    """The first stage's steps in SCRATCH; what they said, if one failed."""
    stage = stages()[1]
    values = {name: value for name, value in values.items() if name in arguments(stage)}
    script = ["set -e"]
    for path, name in WRITTEN.items():
        (scratch / name).mkdir()
        script.append(shlex.join(["mount", "--bind", str(scratch / name), path]))
    for step in stage:
        if step.word == "WORKDIR":
            script.append(f"mkdir -p {step.rest} && cd {step.rest}")
        elif step.word == "RUN" and "apt-get" not in step.rest:
            # The headers are unpacked in the cache, not below /lib/modules.
            script.append(shlex.join([*clean({**values, "KDIR": str(kernel.build)}), "/bin/sh", "-c", step.rest]))
    done = subprocess.run(["unshare", "--map-root-user", "--mount", "/bin/sh", "-c", "\n".join(script)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout if done.returncode else ""


def faults_of_image(kernel: Kernel, modprobe: dict, scratch: Path) -> list[str]:
    """What the worker of KMM would do with what was built: modprobe -d DIR NAME PARAMETERS, but dry."""
    name, opt = modprobe["moduleName"], scratch / WRITTEN[modprobe["dirName"]]
    file = opt / f"lib/modules/{kernel.release}/{name}.ko"
    built = sorted(str(path.relative_to(opt)) for path in opt.rglob("*.ko"))
    if built != [str(file.relative_to(opt))]:
        return [f"{modprobe['dirName']} has {built}"]
    parameters = modprobe.get("parameters", [])
    command = ["modprobe", "-n", "-v", "-C", "/dev/null", "-S", kernel.release, "-d", opt, name, *parameters]
    done = subprocess.run([cache.tool("modprobe"), *command[1:]], capture_output=True, text=True, check=False)
    said, expected = (done.stdout + done.stderr).split(), ["insmod", str(file), *parameters]
    faults = [] if said == expected else [f"modprobe: {' '.join(said)}; expected {' '.join(expected)}"]
    if modinfo.field(file, "vermagic")[0].split()[0] != kernel.release:
        faults.append(f"{file.name} is not for {kernel.release}")
    return faults + modinfo.missing(file)
