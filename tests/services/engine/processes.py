"""Engine workers as processes of their own, to stop and to kill."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path


class WorkerProcess:
    """`python -m services.engine`, on any free port."""

    def __init__(self, redis_url: str, vault: str, keys: Path, lease_ms: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="anpai")
        self._told = Path(self._folder.name) / "address"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "services.engine"],
            env={
                **os.environ,
                "ANPAI_LISTEN": "127.0.0.1:0",
                "ANPAI_METRICS_LISTEN": "127.0.0.1:0",
                "ANPAI_ADDRESS_FILE": str(self._told),
                "ANPAI_REDIS_URL": redis_url,
                "ANPAI_VAULT": vault,
                "ANPAI_KEYS": str(keys),
                "ANPAI_LEASE_MS": str(lease_ms),
                "ANPAI_LOG_LEVEL": "warning",
            },
        )

    async def address(self) -> str:
        """Where it serves, once it does."""
        async with asyncio.timeout(90):
            while not self._told.exists():
                assert self.process.poll() is None, "the worker did not start"
                await asyncio.sleep(0.05)
        address: str = json.loads(self._told.read_text())["grpc"]
        return address

    def kill(self) -> None:
        self.process.kill()

    async def stops(self) -> int:
        """SIGTERM; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return await asyncio.to_thread(self.process.wait, 60)

    def clean_up(self) -> None:
        self.process.kill()
        self.process.wait()
        self._folder.cleanup()
