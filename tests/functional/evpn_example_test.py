"""The fabric of config/examples/evpn.yaml: a leaf from its file, with the commands and the frr.conf
of its comment, as they are written; two more from the same text, where they and the first are
called by each other's numbers."""

import re

import yaml
from evpn_fabric import Fabric, SluiceLeaf
from example import FOLDER, Example
from lab import Lab
from switch import STARTS, Switch
from waiting import until, until_equal


class Text:
    """The example; of another leaf than the first, as that one has it."""

    def __init__(self, number: int = 1):
        places = {"1": str(number), str(number): "1"}
        text = re.sub(r"\b(192\.0\.2\.|198\.51\.100\.|leaf)(\d)\b",
                      lambda found: found[1] + places.get(found[2], found[2]),
                      (FOLDER / "evpn.yaml").read_text())
        self.configuration: dict = yaml.safe_load(text)
        comment = "".join(line + "\n" for line in re.findall(r"^# ?(.*)$", text, re.MULTILINE))
        self.commands: list[str] = re.findall(r"^  ((?:ip|for) .*)$", comment, re.MULTILINE)
        [block] = re.findall(r"^.*/frr\.conf.*:\n((?:  .*\n)+)", comment, re.MULTILINE)
        self.frr_conf = re.sub("^  ", "", block, flags=re.MULTILINE)


class ExampleLeaf(SluiceLeaf):
    wan, port = "eth0", "eth1"

    def _make_bridge(self) -> None:
        for command in Text(self.number).commands:
            self.namespace.run("sh", "-c", command)

    def _frr_conf(self) -> str:
        return Text(self.number).frr_conf

    def _make_switch(self) -> Switch:
        configuration = Text(self.number).configuration
        configuration["evpn"]["daemon_socket"] = self.frr.socket
        return self._fabric.lab.make_switch(configuration.pop("ports"), self.namespace,
                                            **{"lldp": {}, **configuration})


def test_its_files_and_commands_make_a_fabric(lab: Lab):
    fabric = Fabric(lab, 3, switched=ExampleLeaf)
    for leaf in fabric.leaves:
        assert leaf.frr.refused() == ""
    fabric.start()
    fabric.all_ping()
    for leaf in fabric.leaves:
        fabric.until_behind(leaf.host.address, leaf)
    # It suppresses questions: those for whom it knows are answered.
    one, two, _ = fabric.leaves
    until_equal(lambda: one.neighbours().get(two.host.ipv4), ("remote", two.host.address),
                "it is advertised")
    before = one.network()["suppressed"]
    one.host.namespace.ip("neigh", "flush", "all")
    one.host.ping(two.host.ipv4)
    assert one.network()["suppressed"] > before


def test_a_wrong_line_of_frr_conf_is_refused(lab: Lab):
    class Wrong(ExampleLeaf):
        def _frr_conf(self) -> str:
            return super()._frr_conf().replace("advertise-all-vni", "advertise-all-vnis")

    [leaf] = Fabric(lab, 1, switched=Wrong).leaves
    assert "advertise-all-vnis" in leaf.frr.refused()


def test_it_says_what_is_missing_until_the_commands_make_it(lab: Lab):
    example = Example(lab, "evpn")
    example.switch.launch()
    until_equal(example.switch.links, example.links(), "every port is there", STARTS)

    def network() -> dict:
        [network] = example.switch.show("evpn")["networks"]
        return network

    until_equal(lambda: network()["why"], "vx100 does not exist", "the devices are made before")
    for command in Text().commands:
        if "dev ctl" not in command:  # which an example alone does not have
            lab.namespace.run("sh", "-c", command)
    until(lambda: network()["up"], "these commands make them")
