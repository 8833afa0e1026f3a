"""What needs kubectl, whose wheel is for Linux alone."""

import sys

WITH_KUBECTL = ["test_kubernetes.py", "test_scaling.py", "test_secrets.py"]

collect_ignore = [] if sys.platform.startswith("linux") else WITH_KUBECTL
