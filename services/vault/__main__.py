"""The vault as a process: `python -m services.vault`.

`python -m services.vault --new-master-key FILE` writes a master key there (for its
owner alone, mode 0600) unless the file exists, and ends.
"""

import sys
from pathlib import Path

from services.chassis.config import VaultConfig
from services.chassis.server import run
from services.vault.sealing import make_master_key
from services.vault.service import bind


def main(arguments: list[str]) -> None:
    match arguments:
        case []:
            run("vault", VaultConfig, bind)
        case ["--new-master-key", path]:
            make_master_key(Path(path))
        case _:
            sys.exit((__doc__ or "").strip())


if __name__ == "__main__":
    main(sys.argv[1:])
