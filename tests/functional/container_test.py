"""The container image and the manifests, as far as they can be read and run without either: what
Kubernetes and containerlab would refuse, command lines that work, and `follow`."""

import ipaddress
import json
import os
import pathlib
import re
import shlex
import subprocess

import pytest
import yaml

import containerlab
import kubernetes
from browser import Browser
from lab import Lab
from process import Process, children_of, name_of
from switch import Switch, program, sluice
from waiting import until, until_equal

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CONTAINER = SOURCE / "tools/container"


@pytest.fixture(scope="module")
def manifests() -> dict[str, dict]:
    found = list(yaml.safe_load_all((CONTAINER / "kubernetes.yaml").read_text()))
    return {each["kind"]: each for each in found}


def octets(text: str) -> int:
    return int(text.removesuffix("Mi")) << 20


def test_the_manifests_are_what_kubernetes_takes(manifests):
    assert list(manifests) == ["Namespace", "DaemonSet"]
    assert {kind: kubernetes.faults(manifest) for kind, manifest in manifests.items()} == {
        "Namespace": [], "DaemonSet": []}


POD = "spec/template/spec"
SWITCH = f"{POD}/containers/0"


@pytest.mark.parametrize("way, value, fault", [
    # Not there.
    ("apiVersion", ..., ": 'apiVersion' is a required property"),
    ("metadata/name", ..., ".metadata: 'name' is a required property"),
    ("spec/selector", ..., ".spec: 'selector' is a required property"),
    ("spec/template", ..., ".spec: 'template' is a required property"),
    (f"{POD}/containers", ..., "'containers' is a required property"),
    (f"{SWITCH}/image", ..., "[0]: 'image' is a required property"),
    (f"{SWITCH}/env/0/valueFrom/fieldRef/fieldPath", ..., "'fieldPath' is a required property"),
    (f"{SWITCH}/readinessProbe/exec", ..., "readinessProbe: 'exec' is a required property"),
    (f"{SWITCH}/volumeMounts/0/mountPath", ..., "'mountPath' is a required property"),
    (f"{POD}/volumes/0/configMap", ..., "volumes[0]: {'name': 'configuration'} does not have enough"),
    # Unknown.
    (f"{SWITCH}/readyProbe", {}, "('readyProbe' was unexpected)"),
    # Of another type.
    ("spec/updateStrategy/rollingUpdate/maxUnavailable", "one", "'one' is not of type 'integer'"),
    (f"{POD}/hostNetwork", "yes", ".hostNetwork: 'yes' is not of type 'boolean'"),
    (f"{SWITCH}/args", "--config", ".args: '--config' is not of type 'array'"),
    (f"{SWITCH}/resources/limits/cpu", ["2"], ".limits.cpu: ['2'] is not valid"),
    ("metadata/labels", {"app": 1}, ".metadata.labels.app: 1 is not of type 'string'"),
    # None of those that there are.
    ("apiVersion", "apps/v2", ".apiVersion: 'apps/v2' is not one of"),
    ("metadata/name", "Sluice_1", ".metadata.name: 'Sluice_1' does not match"),
    ("spec/updateStrategy/type", "Rolling", ".updateStrategy.type: 'Rolling' is not one of"),
    (f"{SWITCH}/imagePullPolicy", "Sometimes", ".imagePullPolicy: 'Sometimes' is not one of"),
    (f"{SWITCH}/resources/limits/memory", "512MB", ".limits.memory: '512MB' is not valid"),
    (f"{SWITCH}/livenessProbe/failureThreshold", 0, "0 is less than the minimum of 1"),
    (f"{SWITCH}/volumeMounts/0/mountPath", "etc", ".mountPath: 'etc' does not match"),
    (f"{SWITCH}/env/0/valueFrom/fieldRef/fieldPath", "spec.node", "'spec.node' is not one of"),
    # Of each other.
    ("spec/template/metadata/labels", {"app": "other"}, ".spec.selector: does not match the labels"),
    (f"{SWITCH}/volumeMounts/0/name", "config", ".volumeMounts: there is no volume 'config'"),
    (f"{SWITCH}/volumeMounts/0/mountPath", "/run/sluice", "two are at the same path"),
    (f"{SWITCH}/name", "follow", ".containers: two have the same name"),
    (f"{SWITCH}/resources/requests/hugepages-2Mi", "2Mi", "are those of the limit"),
])
def test_what_is_wrong_with_a_manifest_is_found(manifests, way, value, fault):
    [found] = kubernetes.faults(kubernetes.changed(manifests["DaemonSet"], way, value))
    assert fault in found


def test_what_they_refer_to_is_there(manifests):
    space = manifests["Namespace"]["metadata"]["name"]
    assert manifests["DaemonSet"]["metadata"]["namespace"] == space
    spec = manifests["DaemonSet"]["spec"]
    pod = spec["template"]["spec"]
    assert spec["selector"]["matchLabels"] == spec["template"]["metadata"]["labels"]
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    for container in pod["containers"]:
        assert {mount["name"] for mount in container["volumeMounts"]} <= set(volumes)
    assert {mount["name"] for container in pod["containers"]
            for mount in container["volumeMounts"]} == set(volumes)
    name = volumes["configuration"]["configMap"]["name"]
    assert commands()[1][:6] == ["kubectl", "create", "configmap", name, "-n", space]


def commands() -> list[list[str]]:
    """Those that its head gives, in their order."""
    head = (CONTAINER / "kubernetes.yaml").read_text().split("apiVersion")[0]
    lines = head.replace("\\\n#", "").splitlines()
    return [shlex.split(line[1:]) for line in lines if line.startswith("#   kubectl")]


def test_to_apply_it_again_leaves_the_configuration_alone(manifests):
    """Whose namespace is there before anything is put into it."""
    applied, configured, labelled = commands()
    assert applied == ["kubectl", "apply", "-f", "kubernetes.yaml"]
    assert configured[2] == "configmap" and labelled[1] == "label"
    assert "ConfigMap" not in manifests and list(manifests)[0] == "Namespace"
    assert labelled[-1] == "=".join(
        *manifests["DaemonSet"]["spec"]["template"]["spec"]["nodeSelector"].items())


def test_its_resources_can_be_given(manifests):
    """Huge pages are as many as their limit, and stand beside memory."""
    resources = manifests["DaemonSet"]["spec"]["template"]["spec"]["containers"][0]["resources"]
    assert resources["requests"] == resources["limits"]
    assert octets(resources["limits"]["hugepages-2Mi"]) % (2 << 20) == 0
    assert octets(resources["limits"]["memory"]) > 0 and resources["limits"]["cpu"].isdigit()


def test_the_configurations_are_right_and_are_mounted_where_each_node_reads_its_own(manifests):
    files = sorted((CONTAINER / "nodes").iterdir())
    assert len(files) == 2
    for file in files:
        sluice("check", str(file))
    switch, follow = manifests["DaemonSet"]["spec"]["template"]["spec"]["containers"]
    for container, words in ((switch, switch["args"]), (follow, follow["command"])):
        [mount] = [mount for mount in container["volumeMounts"] if mount["name"] == "configuration"]
        # $(NAME) is what the cluster puts in there.
        [node] = [entry["name"] for entry in container["env"]
                  if entry["valueFrom"]["fieldRef"]["fieldPath"] == "spec.nodeName"]
        for file in files:
            assert f"{mount['mountPath']}/{file.name}" == words[-1].replace(f"$({node})", file.stem)


def test_the_command_lines_are_real(manifests, lab: Lab):
    """Probes answer 0 of a switch that runs, and not of one that does not; of one without a link it
    is alive and not ready."""
    host = lab.add_host("p0")
    switch = lab.make_switch([{"device": "af_packet:p0"}])
    container = manifests["DaemonSet"]["spec"]["template"]["spec"]["containers"][0]
    probes = [container[name]["exec"]["command"]
              for name in ("startupProbe", "readinessProbe", "livenessProbe")]
    environment = {**os.environ, "SLUICE_SOCKET": switch.socket}

    def answers() -> list[int]:
        return [subprocess.run([program(words[0]), *words[1:]], env=environment,
                               capture_output=True).returncode for words in probes]
    assert answers() == [1, 1, 1]
    switch.start()
    until_equal(answers, [0, 0, 0], "started, ready and alive")
    host.set_link(False)
    until_equal(answers, [0, 1, 0], "its port is down")
    host.set_link(True)
    until_equal(answers, [0, 0, 0], "and up")
    switch.stop()
    words = [word.replace("/etc/sluice/$(NODE_NAME).yaml", str(switch.file))
             for word in container["args"]]
    lab.namespace.run(program("sluiced"), *words, "--dry-run")


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
    assert json.loads(words) == ["--config", "/etc/sluice/sluice.yaml"]


class ConfigMap:
    """A file of a volume, as kubelet changes it: another folder in the place of the one before, by
    one rename."""

    def __init__(self, folder: pathlib.Path):
        self.file = folder / "sluice.yaml"
        self.file.symlink_to("..data/sluice.yaml")
        self._folder = folder
        self._number = 0

    def publish(self, configuration: dict) -> None:
        self._number += 1
        (self._folder / f"..{self._number}").mkdir()
        (self._folder / f"..{self._number}/sluice.yaml").write_text(json.dumps(configuration))
        os.symlink(f"..{self._number}", self._folder / "..new")
        os.rename(self._folder / "..new", self._folder / "..data")


@pytest.fixture
def followed(tmp_path):
    """`follow` of a file for a switch, which it asks four times a second."""
    (tmp_path / "volume").mkdir()
    volume = ConfigMap(tmp_path / "volume")
    following = []

    def follow(switch: Switch) -> tuple[ConfigMap, Process]:
        volume.publish(switch.configuration)
        process = Process(
            [str(CONTAINER / "follow"), str(volume.file), "0.05", "4"], tmp_path, "follow",
            environment={**os.environ, "SLUICE_SOCKET": switch.socket,
                         "PATH": f"{pathlib.Path(program('sluice')).parent}:{os.environ['PATH']}"})
        following.append(process)
        # By a sleep; its children before that read the file for the first time.
        until(lambda: "sleep" in map(name_of, children_of(process.pid)), "it waits")
        return volume, process
    yield follow
    for process in following:
        process.end()


def test_a_changed_config_map_is_adopted(lab: Lab, followed):
    switch = lab.make_switch([{"device": "ring:loop"}]).start()
    volume, follow = followed(switch)
    assert [row for row in switch.show("events") if row["kind"] == "adopted"] == []
    volume.publish({**switch.configuration, "fabric": {"iterations": 3}})
    follow.until_it_says("Confirmed")
    assert switch.show("fabric")["iterations"] == 3
    volume.publish({**switch.configuration, "buffer": {"size": "1MiB"}})
    follow.until_it_says("is not adopted")
    assert "buffer.size" in follow.errors()
    volume.publish({**switch.configuration, "fabric": {"iterations": 4}})
    until(lambda: switch.show("fabric")["iterations"] == 4, "and so is the next one")


def test_what_takes_a_port_down_goes_back_by_itself(lab: Lab, followed):
    """A port of the file has no link: the switch was ready before, and is not with it."""
    lab.namespace.ip("link", "add", "lonely", "type", "veth", "peer", "name", "nobody")
    switch = lab.make_switch([{"device": "ring:loop"}],
                             hotplug={"ports": 2, "devices": ["af_packet"]}).start()
    volume, follow = followed(switch)
    lonely = {"name": "lonely", "device": "af_packet:lonely"}
    volume.publish({**switch.configuration, "ports": [{"device": "ring:loop"}, lonely]})
    follow.until_it_says("is not confirmed; the previous configuration returns")
    until(lambda: [row["name"] for row in switch.show("ports")] == ["p0"], "the port is gone again")
    # Nor for the moment in which the kernel has not looked yet.
    assert "lonely: link up" not in switch.process.said()


# --- a leaf-spine -----------------------------------------------------------------------------------
LEAF_SPINE = CONTAINER / "leaf_spine"


def topology_file() -> dict:
    return yaml.safe_load((LEAF_SPINE / "leaf-spine.clab.yaml").read_text())


def test_the_topology_is_what_containerlab_takes():
    assert containerlab.faults(topology_file(), LEAF_SPINE) == []


@pytest.mark.parametrize("way, value, fault", [
    ("name", ..., "'name' is a required property"),
    ("topology/nodes", ..., ".topology: 'nodes' is a required property"),
    ("topology/links/0/endpoints", ..., ".links[0]: 'endpoints' is a required property"),
    ("topology/nodes/h1/images", "x", "('images' was unexpected)"),
    ("topology/nodes/h1/kind", "linus", ".nodes.h1.kind: 'linus' is not one of"),
    ("topology/kinds/linus", {}, ".kinds: 'linus' is not one of"),
    ("topology/nodes/h1/exec", "ip link", ".exec: 'ip link' is not of type 'array'"),
    ("topology/groups/leaf/binds/0", "leaf.yaml", ".binds[0]: 'leaf.yaml' does not match"),
    ("topology/links/0/endpoints/1", "spine1", ".endpoints[1]: 'spine1' does not match"),
    ("topology/links/0/endpoints/1", "spine1:eth0", "'spine1:eth0' does not match"),
    ("topology/links/0/endpoints", ["leaf1:eth1"], "is too short"),
    ("topology/links/0/endpoints/1", "spine3:eth1", "links: there is no node of spine3:eth1"),
    ("topology/links/0/endpoints/1", "spine1:eth2", "links: spine1:eth2 is an end of 2"),
    ("mgmt", ..., "mgmt: has no ipv4-subnet"),
    ("topology/nodes/leaf1/mgmt-ipv4", "172.20.25", "'172.20.25' does not match"),
    ("topology/nodes/leaf1/mgmt-ipv4", "172.20.26.2", "leaf1: 172.20.26.2 is no address for a node"),
    ("topology/nodes/leaf1/mgmt-ipv4", "172.20.25.11", "mgmt: 172.20.25.11 is that of 2"),
    ("topology/nodes/h1/group", "hosts", "h1: there is no group 'hosts'"),
    ("topology/groups/leaf/binds/0", "no.yaml:/etc/s.yaml:ro", "there is no file 'no.yaml'"),
    ("topology/defaults/kind", ..., "h1: has no kind"),
    ("topology/groups/host/image", ..., None),
    ("topology/kinds/linux/image", ..., "leaf1: has no image"),
])
def test_what_is_wrong_with_a_topology_is_found(way, value, fault):
    found = containerlab.faults(kubernetes.changed(topology_file(), way, value), LEAF_SPINE)
    assert (found == []) if fault is None else any(fault in each for each in found), found


class Topology:
    """What containerlab makes of the file, of plain namespaces: a node each, a veth pair for each
    link, the commands of hosts; of a switch's, what it waits for and which file it reads."""

    def __init__(self, lab: Lab):
        network, file = (topology_file()[part] for part in ("mgmt", "topology"))
        self.spaces = {name: lab.make_namespace(name) for name in file["nodes"]}
        for link in file["links"]:
            (one, at_one), (other, at_other) = (end.split(":") for end in link["endpoints"])
            self.spaces[one].ip("link", "add", at_one, "type", "veth", "peer", "name", at_other,
                                "netns", self.spaces[other].name)
            self.spaces[one].ip("link", "set", at_one, "up")
            self.spaces[other].ip("link", "set", at_other, "up")
        subnet = ipaddress.ip_network(network["ipv4-subnet"])
        lab.namespace.ip("link", "add", "mgmt", "type", "bridge")
        lab.namespace.ip("address", "add", f"{subnet[1]}/{subnet.prefixlen}", "dev", "mgmt")
        lab.namespace.ip("link", "set", "mgmt", "up")
        self.switches = {}
        for name, node in file["nodes"].items():
            if address := node.get("mgmt-ipv4"):
                space = self.spaces[name]
                lab.namespace.ip("link", "add", name, "master", "mgmt", "type", "veth", "peer", "name",
                                 "eth0", "netns", space.name)
                space.ip("address", "add", f"{address}/{subnet.prefixlen}", "dev", "eth0")
                lab.namespace.ip("link", "set", name, "up")
                space.ip("link", "set", "eth0", "up")
            group = file["groups"][node["group"]]
            for command in node.get("exec", []):
                self.spaces[name].run(*shlex.split(command))
            if node["group"] == "host":
                continue
            [bind] = node.get("binds", []) + group.get("binds", [])
            source, target, _ = bind.split(":")
            option, script = shlex.split(group["cmd"])
            waits, starts = script.split("done; ")
            assert option == "-c" and starts == f"exec sluiced -c {target}"
            last = re.search(r"/sys/class/net/(\w+) ", waits)[1]
            configuration = yaml.safe_load((LEAF_SPINE / source).read_text())
            assert last == configuration["ports"][-1]["device"].removeprefix("af_packet:")
            configuration.setdefault("lldp", {})
            self.switches[name] = lab.make_switch(namespace=self.spaces[name], **configuration)


def test_the_leaf_spine_carries_both_planes_and_agrees_on_what_is_lossless(lab: Lab):
    topology = Topology(lab)
    for switch in topology.switches.values():
        switch.launch()
    for switch in topology.switches.values():
        assert switch.command("ready", "--wait", "20s").returncode == 0
    for host, others in (("h1", ("10.0.10.2", "10.0.10.3")), ("h2", ("10.0.20.2", "10.0.20.3"))):
        for other in others:
            topology.spaces[host].run("ping", "-c", "2", "-i", "0.1", "-W", "5", other)
    one, two = (topology.switches[name] for name in ("spine1", "spine2"))
    assert set(one.fdb(10)) and not one.fdb(20), "a plane for each VLAN"
    assert set(two.fdb(20)) and not two.fdb(10)
    for name in ("leaf1", "leaf2", "leaf3"):
        until(lambda: {row["port"]: [of["system_name"] for of in row["neighbours"]]
                       for row in topology.switches[name].show("lldp") if row["neighbours"]}
              == {"spine1": ["spine1"], "spine2": ["spine2"]}, f"{name} knows its spines")
        assert not any(row["mismatch"] for row in topology.switches[name].show("dcbx"))

    # The page of one of them shows all.
    browser = Browser(lab.namespace)
    try:
        [page] = [url["url"] for url in one.configuration["metrics"]["topology"]
                  if url["name"] == "spine1"]
        browser.open(f"{page}/topology")

        def seen() -> tuple[int, list]:
            found = json.loads(browser.text("#json") or '{"switches": [], "links": []}')
            return (sum(switch["answers"] for switch in found["switches"]),
                    [link["faults"] for link in found["links"]])
        until_equal(seen, (5, 6 * [[]]), "five switches and six links without a fault", 30)
    finally:
        browser.close()
