"""Where finished games go, in Kubernetes and with compose."""

import yaml

from tests.deploy.cluster import (
    KUBERNETES,
    container_of,
    environment,
    of,
    pod_of,
    workloads,
)

WITH_EXPORTS = "small+exports"


def test_the_component_gives_the_vault_alone_a_volume_for_exports():
    mounted = {
        name: container_of(one)["volumeMounts"]
        for name, one in workloads(WITH_EXPORTS).items()
        if any(
            "exports" in volume.values() for volume in pod_of(one)["spec"]["volumes"]
        )
    }

    assert mounted.keys() == {"vault"}
    (path,) = [one["mountPath"] for one in mounted["vault"] if one["name"] == "exports"]
    told = environment(WITH_EXPORTS, workloads(WITH_EXPORTS)["vault"])
    assert told["ANPAI_EXPORTS"] == path
    assert "exports" in of(WITH_EXPORTS, "PersistentVolumeClaim")


def test_with_compose_the_vault_s_directory_is_a_volume_of_its_user():
    deploy = KUBERNETES.parent
    compose = yaml.safe_load((deploy / "compose.yaml").read_text())
    vault = compose["services"]["vault"]

    assert f"exports:{vault['environment']['ANPAI_EXPORTS']}" in vault["volumes"]
    assert "exports" in compose["volumes"]
    assert "install -d -o anpai -m 700 /exports" in (deploy / "Dockerfile").read_text()
