#!/usr/bin/env bash
# snmpd takes the user `root` of agentXPerms for one that is not there, warns, and leaves the owner as it is; so
# it does with the group. A user whose number is not 0 is accepted.
#
# Guess: `agentXPerms 0660 0550 root GROUP` gives the socket to root and that group, without a word.
# Seen with snmpd 5.9.3 (Debian 12): "Can't identify user (root)". The number that says "there is none" is 0.
#
# Root, mmdebstrap; a package source that has the pinned release.
set -euo pipefail

pinned=5.9.3+dfsg-2+deb12u1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mmdebstrap --quiet --variant=apt --include="snmpd=$pinned" bookworm "$folder/root"
for user in root nobody; do
  printf 'agentaddress udp:127.0.0.1:16161\nmaster agentx\nagentXSocket /tmp/agentx\nagentXPerms 0660 0755 %s\n' \
    "$user" >"$folder/root/etc/snmp/snmpd.conf"
  chroot "$folder/root" timeout 5 snmpd -f -LEw -C -c /etc/snmp/snmpd.conf -I -smux 2>"$folder/$user.said" || true
done
chroot "$folder/root" snmpd -v | grep version
grep -F "Can't identify user (root)" "$folder/root.said"
if grep -F "Can't identify user" "$folder/nobody.said"; then
  echo "it does not know nobody either" >&2
  exit 1
fi
