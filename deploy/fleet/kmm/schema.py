# SPDX-License-Identifier: GPL-2.0
"""KMM's own schema of a Module: fetched by go as it is published, kept in the cache, and made strict."""

import json
import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import cache
import jsonschema
import yaml

# As of KMM 2.3. The repository it is made in for OpenShift: the other one's versions from 2.0 on
# have tags that Go does not take, as its module's path does not end in /v2.
SOURCE = "github.com/rh-ecosystem-edge/kernel-module-management"
VERSION = "v0.0.0-20250217131402-3522d8ca4d5f"
GO_SUM = (f"{SOURCE} {VERSION} h1:npF3DvPQZCzPho3pvBy1pmZx7vGCIooMhVyo3viwgHw=\n"
          f"{SOURCE} {VERSION}/go.mod h1:xLQRe8xJfmxDwYJx0ObPSH7K+14EV2d793RoKEfhsY4=\n")
CRD = "config/crd/bases/kmm.sigs.x-k8s.io_modules.yaml"

# Kubernetes has these itself; no more of them are needed here.
METADATA = {"type": "object", "required": ["name", "namespace"], "additionalProperties": False,
            "properties": {name: {"type": "string"} for name in ("name", "namespace")}}


def definition() -> dict:
    kept = cache.root() / "kmm" / VERSION
    with cache.lock("kmm"):
        if not kept.exists():
            with cache.staged(kept) as stage:
                fetch(stage)
    return yaml.safe_load((kept / Path(CRD).name).read_text())


def fetch(stage: Path) -> None:
    """One file of the archive, whose hash go holds against go.sum."""
    go = shutil.which("go")
    if not go:
        raise cache.LabError("go is missing: run make setup, or apt-get install golang-go")
    cache.say(f"fetching KMM's schema: {SOURCE}@{VERSION}")
    work = stage / "work"
    work.mkdir()
    (work / "go.mod").write_text("module schema\n\ngo 1.17\n")  # requires nothing: go would look at all that KMM requires
    (work / "go.sum").write_text(GO_SUM)
    environment = {**os.environ, "GOMODCACHE": str(work / "mod"), "GOFLAGS": "-modcacherw", "GOWORK": "off"}
    done = subprocess.run([go, "mod", "download", "-json", f"{SOURCE}@{VERSION}"], cwd=work, env=environment,
                          capture_output=True, text=True, check=False)
    told = json.loads(done.stdout or "{}")
    if done.returncode or "Zip" not in told:
        raise cache.LabError(f"go could not fetch KMM's schema: {told.get('Error') or done.stderr.strip()}")
    with zipfile.ZipFile(told["Zip"]) as archive:
        (stage / Path(CRD).name).write_bytes(archive.read(f"{SOURCE}@{VERSION}/{CRD}"))
    shutil.rmtree(work)


def strict(schema: dict) -> dict:
    """Kubernetes drops fields that it does not know without a word: here they are faults."""
    made = dict(schema)
    if isinstance(schema.get("items"), dict):
        made["items"] = strict(schema["items"])
    if "properties" in schema:
        made["properties"] = {name: strict(field) for name, field in schema["properties"].items()}
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            made["additionalProperties"] = False
    return made


class Judge:
    """Holds documents against the definition."""

    def __init__(self) -> None:
        spec = definition()["spec"]
        self.kinds = {f"{spec['group']}/{version['name']} {spec['names']['kind']}":
                      self.validator(version["schema"]["openAPIV3Schema"])
                      for version in spec["versions"] if version["served"]}

    @staticmethod
    def validator(schema: dict) -> jsonschema.Draft4Validator:  # OpenAPI 3.0 is an extension of that draft
        made = strict(schema)
        made["properties"]["metadata"] = METADATA
        made["required"] = ["apiVersion", "kind", "metadata", "spec"]
        jsonschema.Draft4Validator.check_schema(made)
        return jsonschema.Draft4Validator(made)

    def faults(self, document: dict) -> Iterator[str]:
        kind = f"{document.get('apiVersion')} {document.get('kind')}"
        if kind not in self.kinds:
            yield f"{kind}: expected {' or '.join(self.kinds)}"
            return
        for error in self.kinds[kind].iter_errors(document):
            yield f"{'.'.join(map(str, error.absolute_path)) or 'top'}: {error.message}"
