#!/usr/bin/env bash
# A LACP bond of Open vSwitch says that it collects and distributes before it knows of any partner.
#
# Guess: an actor whose partner is unknown says neither Collecting nor Distributing, since by 802.1AX 6.4.15
# its mux leaves DETACHED and WAITING only for a partner that is in sync.
# Seen with openvswitch 3.1.0 (Debian 12), fast timers, and nobody at the other end: for three seconds the
# actor state is 0xbf (Expired, Distributing, Collecting, Synchronization), and from then on 0x77
# (Defaulted, Distributing, Collecting, without Synchronization), beside a partner of zeros. So a partner
# or a monitor that goes by Distributing takes such a link for one that carries frames.
#
# Root and mmdebstrap; a package source that has the pinned release. Takes two minutes.
set -euo pipefail

pinned=3.1.0-2+deb12u1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mmdebstrap --quiet --variant=apt --include="openvswitch-switch=$pinned,tshark" \
  bookworm "$folder/root" 2>/dev/null

cat >"$folder/root/inside.sh" <<'INSIDE'
set -euo pipefail
cd "$(mktemp -d)"
export OVS_RUNDIR=$PWD OVS_DBDIR=$PWD OVS_LOGDIR=$PWD OVS_SYSCONFDIR=$PWD
ovsdb-tool create conf.db /usr/share/openvswitch/vswitch.ovsschema
ovsdb-server conf.db --remote="punix:$PWD/db.sock" --pidfile="$PWD/db.pid" --detach --log-file
ovs-vswitchd "unix:$PWD/db.sock" --enable-dummy --disable-system --pidfile="$PWD/switch.pid" --detach \
  --log-file
ovs-vsctl --db="unix:$PWD/db.sock" add-br bridge0 -- set bridge bridge0 datapath_type=dummy \
  -- add-bond bridge0 bond0 one other lacp=active other_config:lacp-time=fast \
  -- set interface one type=dummy "options:tx_pcap=$PWD/sent.pcap" -- set interface other type=dummy
sleep 12
kill "$(cat switch.pid)" "$(cat db.pid)"
tshark -r sent.pcap -T fields -E separator=' ' -e lacp.actor.state -e lacp.partner.sysid 2>/dev/null | uniq
INSIDE
seen=$(unshare --mount --pid --fork --kill-child chroot "$folder/root" bash /inside.sh 2>/dev/null)
printf 'openvswitch %s\n%s\n' "$pinned" "$seen"
[ "$seen" = "0xbf 00:00:00:00:00:00
0x77 00:00:00:00:00:00" ]
