# SPDX-License-Identifier: GPL-2.0
"""Claims as KTAP lines (Documentation/dev-tools/ktap.rst)."""


def lines(claims, metrics):
    """The KTAP text, and whether every claim holds."""
    text = ["KTAP version 1", f"1..{len(claims)}"]
    good = True
    for number, claim in enumerate(claims, 1):
        holds, explanation = claim.check(metrics)
        good = good and holds
        text.append(f"{'ok' if holds else 'not ok'} {number} {claim.text}")
        text.append(f"# {explanation}")
    return "\n".join(text) + "\n", good
