"""The container image and the manifests, as far as they can be read and run without either: fields
that Kubernetes knows, references that lead somewhere, command lines that work, and `follow`."""

import json
import os
import pathlib
import re
import shlex
import subprocess

import pytest
import yaml

from lab import Lab
from process import Process
from switch import program, sluice
from waiting import until

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CONTAINER = SOURCE / "tools/container"

# What may be in an object, as kubernetes.io/docs/reference says (v1, apps/v1), as far as is used.
OBJECT = {"apiVersion": "", "kind": "", "metadata": {"name": "", "namespace": "", "labels": {"*": ""}}}
PROBE = {"exec": {"command": [""]}, "periodSeconds": 1, "timeoutSeconds": 1, "failureThreshold": 1}
RESOURCES = {"cpu": "", "memory": "", "hugepages-2Mi": ""}
ONE_CONTAINER = {
    "name": "", "image": "", "imagePullPolicy": "", "command": [""], "args": [""],
    "securityContext": {"runAsUser": 1, "readOnlyRootFilesystem": True,
                        "allowPrivilegeEscalation": True,
                        "capabilities": {"drop": [""], "add": [""]}},
    "resources": {"requests": RESOURCES, "limits": RESOURCES},
    "startupProbe": PROBE, "readinessProbe": PROBE, "livenessProbe": PROBE,
    "volumeMounts": [{"name": "", "mountPath": "", "readOnly": True}]}
KINDS = {
    "Namespace": OBJECT,
    "ConfigMap": {**OBJECT, "data": {"*": ""}},
    "DaemonSet": {**OBJECT, "spec": {
        "selector": {"matchLabels": {"*": ""}},
        "updateStrategy": {"type": "", "rollingUpdate": {"maxUnavailable": 1}},
        "template": {"metadata": {"labels": {"*": ""}}, "spec": {
            "nodeSelector": {"*": ""}, "hostNetwork": True, "terminationGracePeriodSeconds": 1,
            "containers": [ONE_CONTAINER],
            "volumes": [{"name": "", "configMap": {"name": ""},
                         "emptyDir": {"medium": "", "sizeLimit": ""}}]}}}},
}


def strangers(value, schema, path="") -> list[str]:
    """What is not in the schema, or is of another type."""
    if isinstance(schema, dict) and isinstance(value, dict):
        return [fault for key, inner in value.items() for fault in (
            strangers(inner, schema.get(key, schema.get("*")), f"{path}.{key}")
            if key in schema or "*" in schema else [f"{path}.{key}"])]
    if isinstance(schema, list) and isinstance(value, list):
        return [fault for index, item in enumerate(value)
                for fault in strangers(item, schema[0], f"{path}[{index}]")]
    return [] if type(value) is type(schema) else [f"{path} is {value!r}"]


@pytest.fixture(scope="module")
def manifests() -> dict[str, dict]:
    found = list(yaml.safe_load_all((CONTAINER / "kubernetes.yaml").read_text()))
    return {each["kind"]: each for each in found}


def octets(text: str) -> int:
    return int(text.removesuffix("Mi")) << 20


def test_the_manifests_have_fields_that_kubernetes_knows(manifests):
    assert set(manifests) == set(KINDS)
    for kind, manifest in manifests.items():
        assert strangers(manifest, KINDS[kind], kind) == []
        assert manifest["apiVersion"] == ("apps/v1" if kind == "DaemonSet" else "v1")
    wrong = json.loads(json.dumps(manifests["DaemonSet"]))
    wrong["spec"]["template"]["spec"]["containers"][0]["readyProbe"] = {}
    assert strangers(wrong, KINDS["DaemonSet"]) == [".spec.template.spec.containers[0].readyProbe"]


def test_what_they_refer_to_is_there(manifests):
    space = manifests["Namespace"]["metadata"]["name"]
    assert {manifests[kind]["metadata"]["namespace"] for kind in ("ConfigMap", "DaemonSet")} == {space}
    spec = manifests["DaemonSet"]["spec"]
    pod = spec["template"]["spec"]
    assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    for container in pod["containers"]:
        assert {mount["name"] for mount in container["volumeMounts"]} <= set(volumes)
    assert {mount["name"] for container in pod["containers"]
            for mount in container["volumeMounts"]} == set(volumes)
    assert volumes["configuration"]["configMap"]["name"] == manifests["ConfigMap"]["metadata"]["name"]


def test_its_resources_can_be_given(manifests):
    """Huge pages are as many as their limit, and stand beside memory."""
    resources = manifests["DaemonSet"]["spec"]["template"]["spec"]["containers"][0]["resources"]
    assert resources["requests"] == resources["limits"]
    assert octets(resources["limits"]["hugepages-2Mi"]) % (2 << 20) == 0
    assert octets(resources["limits"]["memory"]) > 0 and resources["limits"]["cpu"].isdigit()


def test_the_configuration_is_right_and_is_mounted_where_it_is_read(manifests, tmp_path):
    [(name, text)] = manifests["ConfigMap"]["data"].items()
    (tmp_path / name).write_text(text)
    sluice("check", str(tmp_path / name))
    switch, follow = manifests["DaemonSet"]["spec"]["template"]["spec"]["containers"]
    for container, words in ((switch, switch["args"]), (follow, follow["command"])):
        [mount] = [mount for mount in container["volumeMounts"] if mount["name"] == "configuration"]
        assert f"{mount['mountPath']}/{name}" == words[-1]


def test_the_command_lines_are_real(manifests, lab: Lab):
    """Probes answer 0 of a switch that runs, and not of one that does not."""
    switch = lab.make_switch([{"device": "ring:loop"}])
    container = manifests["DaemonSet"]["spec"]["template"]["spec"]["containers"][0]
    probes = [container[name]["exec"]["command"]
              for name in ("startupProbe", "readinessProbe", "livenessProbe")]
    environment = {**os.environ, "SLUICE_SOCKET": switch.socket}

    def answers() -> list[int]:
        return [subprocess.run([program(words[0]), *words[1:]], env=environment,
                               capture_output=True).returncode for words in probes]
    assert answers() == [1, 1, 1]
    switch.start()
    assert answers() == [0, 0, 0]
    switch.stop()
    words = [word.replace("/etc/sluice/sluice.yaml", str(switch.file)) for word in container["args"]]
    assert subprocess.run([program("sluiced"), *words, "--dry-run"]).returncode == 0


def test_the_image_is_made_of_what_there_is(manifests):
    text = (CONTAINER / "Containerfile").read_text()
    copied = [shlex.split(line)[-2:] for line in re.findall(r"^COPY (.*)$", text, re.M)]
    assert [source for source, _ in copied] == ["build/sluice_*_amd64.deb", "tools/container/follow"]
    assert (SOURCE / "tools/container/follow").stat().st_mode & 0o111
    follow = manifests["DaemonSet"]["spec"]["template"]["spec"]["containers"][1]
    assert follow["command"][0] == copied[1][1], "where the image has it"
    [entry] = re.findall(r"^ENTRYPOINT (.*)$", text, re.M)
    assert json.loads(entry) == ["/usr/sbin/sluiced"]
    [words] = re.findall(r"^CMD (.*)$", text, re.M)
    assert json.loads(words) == \
        manifests["DaemonSet"]["spec"]["template"]["spec"]["containers"][0]["args"]


def test_a_changed_config_map_is_adopted(lab: Lab, tmp_path):
    """As kubelet does it: another folder in the place of the one before, by one rename."""
    switch = lab.make_switch([{"device": "ring:loop"}]).start()

    def publish(number: int, **changes) -> None:
        (tmp_path / f"..{number}").mkdir()
        (tmp_path / f"..{number}/sluice.yaml").write_text(
            json.dumps({**switch.configuration, **changes}))
        os.symlink(f"..{number}", tmp_path / "..new")
        os.rename(tmp_path / "..new", tmp_path / "..data")
    publish(1)
    (tmp_path / "sluice.yaml").symlink_to("..data/sluice.yaml")
    follow = Process([str(CONTAINER / "follow"), str(tmp_path / "sluice.yaml"), "0.05"], tmp_path,
                     "follow", environment={**os.environ, "SLUICE_SOCKET": switch.socket,
                                            "PATH": f"{pathlib.Path(program('sluice')).parent}:"
                                                    f"{os.environ['PATH']}"})
    until(lambda: pathlib.Path(f"/proc/{follow.pid}/task/{follow.pid}/children").read_text(),
          "it waits")
    assert [row for row in switch.show("events") if row["kind"] == "adopted"] == []
    publish(2, fabric={"iterations": 3})
    until(lambda: switch.show("fabric")["iterations"] == 3, "the change is adopted")
    publish(3, buffer={"size": "1MiB"})
    follow.until_it_says("is not adopted")
    assert "buffer.size" in follow.errors()
    publish(4, fabric={"iterations": 4})
    until(lambda: switch.show("fabric")["iterations"] == 4, "and so is the next one")
    follow.end()
