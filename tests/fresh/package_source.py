"""Where this machine has Debian's packages from, and how it gets at them: new roots do the same."""

import subprocess

import debians

# What of apt's settings is about the way to the source, and not about what apt does on a machine.
_WAY = ("Acquire::http::", "Acquire::https::", "Acquire::Check-", "Acquire::Retries")
# What of a suite is elsewhere; testing has its updates in itself.
_BESIDE = {debians.TESTING: ("",)}


def _said(*words: str) -> list[str]:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()


def _releases(suite: str) -> list[str]:
    return [suite + beside for beside in _BESIDE.get(suite, ("", "-updates", "-security"))]


def entries(suite: str) -> list[str]:
    """Lines of a sources.list: from where this machine has its own Debian, whichever that is; none
    where it has entries of none, so that a root is made from Debian's own."""
    targets = _said("apt-get", "indextargets", "--format",
                    "$(CREATED_BY)|$(ORIGIN)|$(SITE)|$(RELEASE)|$(COMPONENT)")
    sites = {}
    for target in targets:
        created_by, origin, site, release, component = target.split("|")
        here, beside = release.partition("-")[0], release.partition("-")[2]
        # Before the first `apt-get update` nobody knows the origin.
        if (created_by, component) == ("Packages", "main") and here in debians.ALL \
                and origin in ("Debian", "$(ORIGIN)"):
            sites[f"{suite}-{beside}" if beside else suite] = site
    known = [release for release in _releases(suite) if release in sites]
    return [f"deb {sites[release]} {release} main" for release in known] if suite in known else []


def settings(suite: str) -> list[str]:
    """Lines of an apt.conf."""
    lines = {line for line in _said("apt-config", "dump") if line.startswith(_WAY)}
    if suite == debians.TESTING:  # a mirror may be behind
        lines.add('Acquire::Check-Valid-Until "false";')
    return sorted(lines)
