"""Where this machine has Debian's packages from, and how it gets at them: new roots do the same."""

import subprocess

SUITE = "bookworm"

# What of apt's settings is about the way to the source, and not about what apt does on a machine.
_WAY = ("Acquire::http::", "Acquire::https::", "Acquire::Check-", "Acquire::Retries")
_RELEASES = (SUITE, f"{SUITE}-updates", f"{SUITE}-security")


def _said(*words: str) -> list[str]:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()


def entries() -> list[str]:
    """Lines of a sources.list; none where this machine has no entries of that Debian, so that
    a root is made from Debian's own."""
    targets = _said("apt-get", "indextargets", "--format",
                    "$(CREATED_BY)|$(ORIGIN)|$(SITE)|$(RELEASE)|$(COMPONENT)")
    found = []
    for target in targets:
        created_by, origin, site, release, component = target.split("|")
        # Before the first `apt-get update` nobody knows the origin.
        if (created_by, component) == ("Packages", "main") and release in _RELEASES \
                and origin in ("Debian", "$(ORIGIN)"):
            found.append(f"deb {site} {release} {component}")
    return sorted(set(found)) if any(f" {SUITE} " in line for line in found) else []


def settings() -> list[str]:
    """Lines of an apt.conf."""
    return sorted(line for line in _said("apt-config", "dump") if line.startswith(_WAY))
