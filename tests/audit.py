"""`make audit`: has anything we depend on a known hole?

Asks the package index, by pip-audit. Where that cannot be asked it says so and ends
well: nothing is known then, neither good nor bad. Ends with 1 where there is a hole.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PIP_AUDIT = Path(sys.executable).parent / "pip-audit"
HOW = ("--local", "--skip-editable", "--progress-spinner", "off", "--format", "json")


def told() -> list[dict[str, Any]]:
    """What is known of each package; nothing where nobody could be asked."""
    done = subprocess.run([str(PIP_AUDIT), *HOW], capture_output=True, text=True)
    try:
        return list(json.loads(done.stdout)["dependencies"])
    except (ValueError, KeyError):
        print(done.stderr.strip().splitlines()[-1:], file=sys.stderr)
        return []


def main() -> int:
    packages = told()
    audited = [one for one in packages if "skip_reason" not in one]
    holes = [(one, hole) for one in audited for hole in one["vulns"]]
    for package, hole in holes:
        mended = ", ".join(hole["fix_versions"]) or "nothing yet"
        print(
            f"{package['name']} {package['version']}: {hole['id']}, mended by {mended}"
        )
    if not audited:
        print("audit: nobody could be asked, so nothing is known.")
    else:
        print(f"audit: {len(audited)} of {len(packages)} packages, {len(holes)} holes")
    return 1 if holes else 0


if __name__ == "__main__":
    sys.exit(main())
