"""The vault as a process: `python -m services.vault`.

`python -m services.vault --new-master-key FILE` writes a master key there (for its
owner alone, mode 0600) unless the file exists, and ends. `--rewrap` wraps the keys of
all tables with the first of its master keys, and ends: see docs/operations.md.
"""

import asyncio
import sys
from pathlib import Path

from redis.exceptions import RedisError

from services.chassis.config import ConfigError, VaultConfig, load
from services.chassis.server import leave, run
from services.chassis.stores import StoreUnavailable, StoreUnreachable
from services.vault.rewrapping import rewrap_all
from services.vault.sealing import make_master_key
from services.vault.service import bind


def main(arguments: list[str]) -> None:
    match arguments:
        case []:
            run("vault", VaultConfig, bind)
        case ["--new-master-key", path]:
            make_master_key(Path(path))
        case ["--rewrap"]:
            rewrap()
        case _:
            sys.exit((__doc__ or "").strip())


def rewrap() -> None:
    try:
        done = asyncio.run(rewrap_all(load(VaultConfig)))
    except ConfigError as error:
        leave(2, f"anpai vault: {error}")
    except StoreUnreachable as error:
        leave(1, f"anpai vault: {error}")
    except (StoreUnavailable, RedisError, OSError):
        leave(1, "anpai vault: The store broke off, not all is wrapped: run it again.")
    print(done)
    sys.exit(1 if done.lost else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
