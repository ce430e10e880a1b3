# SPDX-License-Identifier: GPL-2.0
"""A running Prometheus, to be asked."""

import json
import urllib.parse
import urllib.request

TIMEOUT_SECONDS = 30


def ask(url: str, what: str, **parameters: str) -> dict:
    query = urllib.parse.urlencode(parameters)
    with urllib.request.urlopen(f"{url}/api/v1/{what}?{query}", timeout=TIMEOUT_SECONDS) as answer:
        return json.load(answer)["data"]
