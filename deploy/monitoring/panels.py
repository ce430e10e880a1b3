# SPDX-License-Identifier: GPL-2.0
"""The queries of the dashboard."""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
RATE_INTERVAL = "1m"  # Grafana: four times between two scrapes


def dashboard() -> dict:
    return json.loads((HERE / "dashboard.json").read_text())


def query(target: dict, rate_interval: str, hosts: list[str]) -> str:
    """As Grafana would ask it, of these instances or of all: it puts the variables in."""
    return target["expr"].replace("$__rate_interval", rate_interval).replace("$instance", "|".join(hosts) or ".*")


def queries(rate_interval: str) -> list[str]:
    return [query(target, rate_interval, []) for panel in dashboard()["panels"] for target in panel["targets"]]
