"""What Kubernetes is given is whole, fits together, and lets nobody do more."""

import re
from itertools import product
from textwrap import dedent

import kubernetes_validate
import pytest
import yaml

from services.chassis import server
from services.chassis.operators import WITHOUT_STORE
from tests.contract.contract import ROOT, methods
from tests.deploy.cluster import (
    OURS,
    OVERLAYS,
    SERVICES,
    admitted,
    built,
    container_of,
    environment,
    fits,
    lets,
    of,
    pod_of,
    speaks_tls,
    workloads,
)
from tests.deploy.deployed import SETTINGS, read, services

RELEASES = ("1.34", "1.37")
NOT_KUBERNETES_OWN = {"PodMonitor"}
EVERY = [(overlay, name) for overlay in OVERLAYS for name in workloads(overlay)]
MAY_CALL = {
    *(("edge", name, 8400) for name in SERVICES),
    ("bots", "matchmaking", 8400),
    *(("matchmaking", "engine", 8400), ("engine", "engine", 8400)),
    ("engine", "vault", 8400),
    *((name, "store", 6379) for name in SERVICES),
}

of_each = pytest.mark.parametrize("overlay", OVERLAYS)
of_every = pytest.mark.parametrize(("overlay", "name"), EVERY)


# ---- it is whole ---------------------------------------------------------------------


@pytest.mark.parametrize("release", RELEASES)
@of_each
def test_every_manifest_is_one_that_kubernetes_takes(overlay, release):
    for one in built(overlay):
        if one["kind"] not in NOT_KUBERNETES_OWN:
            kubernetes_validate.validate(one, release, strict=True)


@of_each
def test_all_is_there(overlay):
    assert set(workloads(overlay)) - {"store"} == set(OURS)
    assert set(of(overlay, "ServiceAccount")) == set(OURS)
    assert set(of(overlay, "PodDisruptionBudget")) == set(OURS)
    assert {one["metadata"].get("namespace") for one in built(overlay)} == {
        "anpai",
        None,
    }


@of_every
def test_what_chooses_pods_chooses_those_of_one_workload(overlay, name):
    labels = pod_of(workloads(overlay)[name])["metadata"]["labels"]
    own = {workloads(overlay)[name]["kind"]}
    own |= {"PodDisruptionBudget"} if name in OURS else set()
    for kind in ("Deployment", "StatefulSet", "PodDisruptionBudget"):
        chosen = [
            chooser
            for chooser, one in of(overlay, kind).items()
            if fits(one["spec"]["selector"], labels)
        ]
        assert chosen == ([name] if kind in own else [])


@of_each
def test_a_service_stands_for_ports_there_are(overlay):
    for name, one in of(overlay, "Service").items():
        (behind,) = (
            workload
            for workload in workloads(overlay).values()
            if fits(
                {"matchLabels": one["spec"]["selector"]},
                pod_of(workload)["metadata"]["labels"],
            )
        )
        ports = {port["name"] for port in container_of(behind)["ports"]}
        assert {port["targetPort"] for port in one["spec"]["ports"]} <= ports, name


@of_every
def test_what_is_mounted_is_there(overlay, name):
    pod = pod_of(workloads(overlay)[name])["spec"]
    volumes = {one["name"]: one for one in pod["volumes"]}
    claims = workloads(overlay)[name]["spec"].get("volumeClaimTemplates", ())
    volumes |= {one["metadata"]["name"]: {} for one in claims}
    mounted = {
        one["name"] for one in container_of(workloads(overlay)[name])["volumeMounts"]
    }

    assert mounted == set(volumes)
    for volume in volumes.values():
        if "configMap" in volume:
            assert volume["configMap"]["name"] in of(overlay, "ConfigMap")
        if "secret" in volume:
            assert volume["secret"]["defaultMode"] == 0o440


# ---- it does what is meant -----------------------------------------------------------


@of_every
def test_a_container_is_told_only_what_there_is_to_tell(overlay, name):
    told = environment(overlay, workloads(overlay)[name])

    assert told.keys() <= SETTINGS | {"POD_IP"}


@of_each
def test_limits_count_players_by_their_own_addresses_not_the_edge_s(overlay):
    for name in SERVICES:
        assert environment(overlay, workloads(overlay)[name])["ANPAI_EDGES"] == "1"
    assert read("compose.yaml")["x-environment"]["ANPAI_EDGES"] == "1"
    (listener, *_) = read("edge/envoy.yaml")["static_resources"]["listeners"]
    (chain,) = listener["filter_chains"]
    assert chain["filters"][0]["typed_config"]["use_remote_address"] is True


@of_each
def test_who_lives_is_not_who_takes_players(overlay):
    known = {one.containing_service.full_name for one in methods()}
    for name in SERVICES:
        container = container_of(workloads(overlay)[name])
        ready = container["readinessProbe"]

        assert container["livenessProbe"]["httpGet"]["path"] == "/healthz"
        if speaks_tls(overlay):  # as Kubernetes cannot, asking gRPC's health service
            assert ready["httpGet"]["path"] == WITHOUT_STORE
            continue
        asked = ready["grpc"]
        assert asked["service"] in known
        assert asked["service"].startswith(f"anpai.{name}.")
        assert {"name": "grpc", "containerPort": asked["port"]} in container["ports"]


@of_every
def test_who_is_asked_by_http_is_asked_as_he_listens(overlay, name):
    container = container_of(workloads(overlay)[name])
    is_secure = "ANPAI_TLS_CERT" in environment(overlay, workloads(overlay)[name])
    probes = [one for key, one in container.items() if key.endswith("Probe")]
    asked = [one["httpGet"] for one in probes if "httpGet" in one]

    assert asked or name == "store"
    for one in asked:
        assert one.get("scheme", "HTTP") == ("HTTPS" if is_secure else "HTTP")
        assert one["port"] in {port["name"] for port in container["ports"]}


@of_each
def test_nobody_is_killed_while_he_drains(overlay):
    for name in SERVICES:
        workload = workloads(overlay)[name]
        drain = int(environment(overlay, workload)["ANPAI_DRAIN_MS"]) / 1000
        grace = pod_of(workload)["spec"]["terminationGracePeriodSeconds"]

        assert grace > drain + server.KILL_SECONDS
        assert drain > withdrawn_after()


def test_nobody_is_killed_while_he_drains_with_compose():
    drain = int(read("compose.yaml")["x-environment"]["ANPAI_DRAIN_MS"]) / 1000
    for name in SERVICES:
        grace = float(services()[name]["stop_grace_period"].removesuffix("s"))

        assert grace > drain + server.KILL_SECONDS
        assert drain > withdrawn_after()


def withdrawn_after() -> float:
    """Seconds until the edge has seen that somebody takes no more players."""
    clusters = read("edge/envoy.yaml")["static_resources"]["clusters"]
    checks = [check for one in clusters for check in one.get("health_checks", ())]
    times = [
        (float(check[which].removesuffix("s")) for which in ("interval", "timeout"))
        for check in checks
    ]
    return max(map(sum, times))


@of_each
def test_a_new_one_comes_before_an_old_one_goes(overlay):
    for name, one in of(overlay, "Deployment").items():
        rolling = one["spec"]["strategy"]["rollingUpdate"]
        assert rolling == {"maxSurge": 1, "maxUnavailable": 0}, name


def test_there_are_several_of_each_in_production():
    for name, one in of("production", "Deployment").items():
        if name == "engine":
            assert "replicas" not in one["spec"]
        else:
            assert one["spec"]["replicas"] >= 2
    assert (
        of("production", "HorizontalPodAutoscaler")["engine"]["spec"]["minReplicas"]
        >= 3
    )


# ---- and nothing else ----------------------------------------------------------------


@of_every
def test_a_pod_may_do_nothing_that_it_need_not(overlay, name):
    """As Pod Security's `restricted` has it, and no more than that is written on."""
    pod = pod_of(workloads(overlay)[name])["spec"]
    own = container_of(workloads(overlay)[name])["securityContext"]

    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] > 0
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert own == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()
    assert all("hostPath" not in volume for volume in pod["volumes"])


@of_every
def test_a_pod_has_what_it_needs_and_cannot_take_all(overlay, name):
    resources = container_of(workloads(overlay)[name])["resources"]

    assert set(resources["requests"]) == {"cpu", "memory"}
    assert set(resources["limits"]) == {"memory"}


@of_every
def test_an_image_is_the_one_that_was_tested(overlay, name):
    image = container_of(workloads(overlay)[name])["image"]
    project = (ROOT / "pyproject.toml").read_text()
    (release,) = re.findall(r'^version = "(.*)"$', project, re.MULTILINE)

    if name in ("edge", "store"):
        assert image == services()[name]["image"]
    else:
        assert re.fullmatch(rf"(registry\.example\.org/)?anpai/{name}:{release}", image)


@of_each
def test_nobody_reaches_anybody_unless_he_must(overlay):
    nothing = of(overlay, "NetworkPolicy")["nothing"]["spec"]
    assert nothing == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}

    pods = workloads(overlay)
    reached = {
        (source, target, port)
        for source, target in product(pods, pods)
        for port in (8400, 7410, 7411, 6379, 26379)
        if admitted(overlay, source, target, port)
    }

    bots_play_at = ("engine", 8400) if speaks_tls(overlay) else ("edge", 7411)
    may_call = {*MAY_CALL, ("bots", *bots_play_at)}
    assert reached == {one for one in may_call if one[1] in pods}


@of_each
def test_players_come_in_by_one_door(overlay):
    outside = [
        one["metadata"]["name"]
        for one in of(overlay, "NetworkPolicy").values()
        for rule in one["spec"].get("ingress", ())
        if "from" not in rule
    ]
    reachable = [
        name
        for name, one in of(overlay, "Service").items()
        if one["spec"].get("type", "ClusterIP") != "ClusterIP"
    ]

    assert outside == ["players"]
    assert reachable == (["players"] if overlay == "production" else [])
    (port,) = of(overlay, "Service")["players"]["spec"]["ports"]
    assert port["targetPort"] == "players"


def test_the_readme_s_policy_is_one_that_kubernetes_takes():
    """For whoever adds what the base does not let through."""
    readme = (ROOT / "deploy" / "README.md").read_text()
    (text,) = re.findall(r"^( +apiVersion: networking.*?)\n\n", readme, re.M | re.S)
    policy = yaml.safe_load(dedent(text))

    for release in RELEASES:
        kubernetes_validate.validate(policy, release, strict=True)
    chosen = policy["spec"]["podSelector"]
    assert fits(chosen, pod_of(workloads("small")["matchmaking"])["metadata"]["labels"])


@pytest.mark.parametrize(
    "rule",
    [
        {"to": [{"podSelector": {}}]},
        {"ports": [{"port": 8400}]},
        {"to": [{"namespaceSelector": {}}], "ports": [{"port": 8400}]},
        {"to": [{"podSelector": {"matchLabels": {"app": "vault"}}}]},
    ],
)
def test_a_rule_that_lets_more_through_than_it_says_is_seen(rule):
    assert lets(rule, "to", {"app": "vault"}, 8400)
