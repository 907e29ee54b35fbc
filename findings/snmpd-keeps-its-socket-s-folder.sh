#!/usr/bin/env bash
# snmpd gives its socket for subagents to the user and group of agentXPerms, and leaves the folder that it
# makes for it to root: with the mode 0550 that group gets no further than the folder.
#
# Guess: `agentXPerms 0660 0550 USER GROUP` lets USER and GROUP in, and nobody else.
# Seen with snmpd 5.9.3 (Debian 12): the socket is USER's and GROUP's, its folder root's.
#
# Root, mmdebstrap; a package source that has the pinned release.
set -euo pipefail

pinned=5.9.3+dfsg-2+deb12u1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mmdebstrap --quiet --variant=apt --include="snmpd=$pinned" bookworm "$folder/root"
printf '%s\n' 'agentaddress udp:127.0.0.1:16161' 'master agentx' \
  'agentXPerms 0660 0550 Debian-snmp games' >"$folder/root/etc/snmp/snmpd.conf"
chroot "$folder/root" timeout 5 snmpd -f -LEw -C -c /etc/snmp/snmpd.conf -I -smux 2>/dev/null &
until [ -S "$folder/root/var/agentx/master" ]; do kill -0 $!; sleep 0.1; done
sleep 0.5  # its owner comes behind it
chroot "$folder/root" snmpd -v | grep version
chroot "$folder/root" stat -c '%U:%G %a %n' /var/agentx /var/agentx/master | tee "$folder/seen"
wait || true
diff - "$folder/seen" <<'END'
root:root 550 /var/agentx
Debian-snmp:games 660 /var/agentx/master
END
