#!/usr/bin/env bash
# Open vSwitch's multicast snooping takes the report by which a host leaves a source (IGMPv3
# BLOCK_OLD_SOURCES, which is how Linux leaves its only source of a group) for a join: the membership is
# not ended but begins to age anew. A PIM Hello makes no router port either.
#
# Guess: a membership ends within seconds of a BLOCK of its last source, as with the kernel's bridge, or at
# the least goes on ageing; and a port that a PIM router speaks on gets all multicast (RFC 4541 2.1.1).
# Seen with openvswitch 3.1.0 (Debian 12): the group is listed with the age of 5 before the BLOCK and with 0 or 1
# after it, as after any join. TO_INCLUDE without a source ends it. After a Hello no port is a querier's,
# after a general query the port is.
#
# Root, mmdebstrap, iproute2; a package source that has the pinned release. Takes a minute.
set -euo pipefail

pinned=3.1.0-2+deb12u1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mmdebstrap --quiet --variant=apt \
  --include="openvswitch-switch=$pinned,openvswitch-common=$pinned,python3-scapy,iproute2,mount" \
  bookworm "$folder/root"
cat >"$folder/root/inside.sh" <<'INSIDE'
set -euo pipefail
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
ip link set lo up
for side in host router; do
  ip link add $side type veth peer name at-$side
  ip link set $side up
  ip link set at-$side up
done
mkdir -p /run/openvswitch /dev/net
[ -c /dev/net/tun ] || mknod /dev/net/tun c 10 200
ovsdb-tool create /run/conf.db /usr/share/openvswitch/vswitch.ovsschema
ovsdb-server /run/conf.db --remote=punix:/run/openvswitch/db.sock --detach --pidfile --log-file=/run/db.log
ovs-vsctl --no-wait init
ovs-vswitchd --detach --pidfile --log-file=/run/vswitchd.log
ovs-vsctl --timeout=30 add-br br0 -- set bridge br0 datapath_type=netdev mcast_snooping_enable=true \
  -- add-port br0 at-host -- add-port br0 at-router
ip link set br0 up
python3 - <<'PYTHON'
import subprocess
import time

from scapy.all import IP, Ether, Raw, sendp
from scapy.contrib.igmpv3 import IGMPv3, IGMPv3gr, IGMPv3mq, IGMPv3mr

TO_INCLUDE, ALLOW, BLOCK = 3, 5, 6


def table():
    """Of the bridge: port, VLAN, group, age."""
    lines = subprocess.run(["ovs-appctl", "mdb/show", "br0"], text=True, check=True,
                           stdout=subprocess.PIPE).stdout.splitlines()[1:]
    return [line.split() for line in lines]


def group():
    ages = [int(row[3]) for row in table() if row[2] == "232.1.1.1"]
    return ages[0] if ages else None


def send(port, packet, destination):
    sendp(Ether(src="02:00:00:00:00:01", dst=destination) / packet, iface=port, verbose=False)
    time.sleep(0.3)


def report(kind, *sources):
    record = IGMPv3gr(rtype=kind, maddr="232.1.1.1", numsrc=len(sources), srcaddrs=list(sources))
    send("host", IP(src="198.51.100.2", dst="224.0.0.22", ttl=1, options=[b"\x94\x04\x00\x00"])
         / IGMPv3(type=0x22) / IGMPv3mr(records=[record]), "01:00:5e:00:00:16")


def queriers():
    return len([row for row in table() if "querier" in row])


report(ALLOW, "203.0.113.1")
time.sleep(5)
before = group()
report(BLOCK, "203.0.113.1")
after = group()
print("a group of age", "5 or 6" if before in (5, 6) else before, "has after BLOCK the age",
      "0 or 1" if after in (0, 1) else after)
report(TO_INCLUDE)
print("after TO_INCLUDE without a source it is", "gone" if group() is None else "there")
hello = bytes.fromhex("20000000") + bytes.fromhex("000100020069")
total = sum(int.from_bytes(hello[at:at + 2], "big") for at in range(0, len(hello), 2))
total = (total & 0xffff) + (total >> 16)
hello = hello[:2] + (~total & 0xffff).to_bytes(2, "big") + hello[4:]
send("router", IP(src="198.51.100.1", dst="224.0.0.13", ttl=1, proto=103) / Raw(hello),
     "01:00:5e:00:00:0d")
print("router ports after a PIM Hello:", queriers())
send("router", IP(src="198.51.100.1", dst="224.0.0.1", ttl=1, options=[b"\x94\x04\x00\x00"])
     / IGMPv3(type=0x11) / IGMPv3mq(), "01:00:5e:00:00:01")
print("router ports after a general query:", queriers())
PYTHON
INSIDE
seen=$(unshare --net --mount --pid --fork --kill-child chroot "$folder/root" bash /inside.sh 2>/dev/null)
printf 'openvswitch %s\n%s\n' "$pinned" "$seen"
[ "$seen" = "a group of age 5 or 6 has after BLOCK the age 0 or 1
after TO_INCLUDE without a source it is gone
router ports after a PIM Hello: 0
router ports after a general query: 1" ]
