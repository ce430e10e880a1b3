# SPDX-License-Identifier: GPL-2.0
"""The queries of the dashboard."""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
RATE_INTERVAL = "1m"  # Grafana: four times between two scrapes


def dashboard() -> dict:
    return json.loads((HERE / "dashboard.json").read_text())


def queries(rate_interval: str) -> list[str]:
    """As Grafana asks them, of all instances: it puts the variables in."""
    targets = [target for panel in dashboard()["panels"] for target in panel["targets"]]
    return [target["expr"].replace("$__rate_interval", rate_interval).replace("$instance", ".*") for target in targets]
