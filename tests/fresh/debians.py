"""The Debians that roots are made of: the last one, today's, and the next, which may break through no
fault of ours: its tests have the mark `testing`, and tools/test reports them and fails for none."""

import pytest

OLDSTABLE, STABLE, TESTING = "bookworm", "trixie", "forky"
ALL = (OLDSTABLE, STABLE, TESTING)
EACH = [OLDSTABLE, STABLE, pytest.param(TESTING, marks=pytest.mark.testing)]

# What a build depends on, as dpkg and the programs call it.
VERSIONS = """
. /etc/os-release
of() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo none; }
name=$(cat /etc/debian_version)
echo "on Debian $name ($VERSION_CODENAME): DPDK $(of libdpdk-dev), gcc $(gcc -dumpfullversion)," \
  "fmt $(of libfmt-dev), yaml-cpp $(of libyaml-cpp-dev), libbpf $(of libbpf-dev)," \
  "meson $(meson --version)"
"""
