"""Where finished games go, in Kubernetes and with compose."""

import os

import yaml

from tests.deploy.cluster import KUBERNETES, container_of, kubectl, pod_of


def test_the_component_gives_the_vault_alone_a_volume_for_exports(tmp_path):
    here = os.path.relpath(KUBERNETES, tmp_path)
    told = {
        "resources": [f"{here}/overlays/small"],
        "components": [f"{here}/components/exports"],
    }
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(told))

    parts = [*yaml.safe_load_all(kubectl("kustomize", tmp_path))]

    workloads = [one for one in parts if one["kind"] in ("Deployment", "StatefulSet")]
    mounted = {
        one["metadata"]["name"]: container_of(one)["volumeMounts"]
        for one in workloads
        if any(
            "exports" in volume.values() for volume in pod_of(one)["spec"]["volumes"]
        )
    }
    assert mounted.keys() == {"vault"}
    (vault,) = [one for one in workloads if one["metadata"]["name"] == "vault"]
    (path,) = [one["mountPath"] for one in mounted["vault"] if one["name"] == "exports"]
    assert {"name": "ANPAI_EXPORTS", "value": path} in container_of(vault)["env"]
    assert "PersistentVolumeClaim" in {one["kind"] for one in parts}


def test_with_compose_the_vault_s_directory_is_a_volume_of_its_user():
    deploy = KUBERNETES.parent
    compose = yaml.safe_load((deploy / "compose.yaml").read_text())
    vault = compose["services"]["vault"]

    assert f"exports:{vault['environment']['ANPAI_EXPORTS']}" in vault["volumes"]
    assert "exports" in compose["volumes"]
    assert "install -d -o anpai -m 700 /exports" in (deploy / "Dockerfile").read_text()
