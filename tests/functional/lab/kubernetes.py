"""Objects of Kubernetes, as far as ours have them: what its API would refuse of them. Fields that it does
not know or that are missing, values of another type or that are none of those that there are, and
names that lead nowhere."""

import copy
from typing import Any, Iterator

import jsonschema

Schema = dict[str, Any]


def record(*required: str, **fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(required),
            "additionalProperties": False}


def list_of(item: Schema) -> Schema:
    return {"type": "array", "items": item, "minItems": 1}


def one_of(*words: str) -> Schema:
    return {"type": "string", "enum": list(words)}


def whole(least: int) -> Schema:
    return {"type": "integer", "minimum": least}


def pattern(text: str) -> Schema:
    return {"type": "string", "pattern": text}


# Fields that our objects use, by kubernetes.io/docs/reference (v1, apps/v1, batch/v1).
TEXT, YES_OR_NO = {"type": "string", "minLength": 1}, {"type": "boolean"}
LABEL = pattern(r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")  # RFC 1123
PATH = pattern(r"^/[^:]*$")
QUANTITY = {"anyOf": [pattern(r"^[0-9]+(\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$"), whole(0)]}
WORDS = {"type": "object", "additionalProperties": {"type": "string", "maxLength": 63}}
METADATA = record("name", name=LABEL, namespace=LABEL, labels=WORDS)
PROBE = record("exec", exec=record("command", command=list_of(TEXT)), periodSeconds=whole(1),
               timeoutSeconds=whole(1), failureThreshold=whole(1))
RESOURCES = record(cpu=QUANTITY, memory=QUANTITY, **{"hugepages-2Mi": QUANTITY})
CONTAINER = record(
    "name", "image", name=LABEL, image=TEXT, command=list_of(TEXT), args=list_of(TEXT),
    imagePullPolicy=one_of("Always", "IfNotPresent", "Never"),
    env=list_of(record("name", name=TEXT, valueFrom=record("fieldRef", fieldRef=record(
        "fieldPath", fieldPath=one_of("metadata.name", "metadata.namespace", "spec.nodeName",
                                      "status.hostIP", "status.podIP"))))),
    securityContext=record(
        runAsUser=whole(0), readOnlyRootFilesystem=YES_OR_NO, allowPrivilegeEscalation=YES_OR_NO,
        capabilities=record(drop=list_of(pattern("^[A-Z_]+$")), add=list_of(pattern("^[A-Z_]+$")))),
    resources=record(requests=RESOURCES, limits=RESOURCES),
    startupProbe=PROBE, readinessProbe=PROBE, livenessProbe=PROBE,
    volumeMounts=list_of(record("name", "mountPath", name=LABEL, mountPath=PATH,
                                subPath=pattern("^[^/]"), readOnly=YES_OR_NO)))
# Each volume has one source.
VOLUME = {**record("name", name=LABEL, configMap=record("name", name=LABEL),
                   emptyDir=record(medium=one_of("", "Memory"), sizeLimit=QUANTITY),
                   persistentVolumeClaim=record("claimName", claimName=LABEL)),
          "minProperties": 2, "maxProperties": 2}


def template(*required: str, **fields: Schema) -> Schema:
    return record("spec", metadata=record(labels=WORDS), spec=record(
        "containers", *required, containers=list_of(CONTAINER), volumes=list_of(VOLUME), **fields))


KINDS = {
    "Namespace": record("apiVersion", "kind", "metadata", apiVersion=one_of("v1"),
                        kind=one_of("Namespace"), metadata=METADATA),
    "DaemonSet": record("apiVersion", "kind", "metadata", "spec", apiVersion=one_of("apps/v1"),
                        kind=one_of("DaemonSet"), metadata=METADATA, spec=record(
        "selector", "template", selector=record("matchLabels", matchLabels=WORDS),
        updateStrategy=record(type=one_of("RollingUpdate", "OnDelete"),
                              rollingUpdate=record(maxUnavailable=whole(1))),
        template=template(restartPolicy=one_of("Always"), nodeSelector=WORDS, hostNetwork=YES_OR_NO,
                          terminationGracePeriodSeconds=whole(0)))),
    # An index has a limit of its own only where pods are not started again (backoffLimitPerIndex).
    "Job": record("apiVersion", "kind", "metadata", "spec", apiVersion=one_of("batch/v1"),
                  kind=one_of("Job"), metadata=METADATA, spec=record(
        "template", "completionMode", "completions", completionMode=one_of("Indexed"),
        completions=whole(1), parallelism=whole(0), backoffLimitPerIndex=whole(0),
        ttlSecondsAfterFinished=whole(0), activeDeadlineSeconds=whole(1),
        template=template("restartPolicy", restartPolicy=one_of("Never"),
                          automountServiceAccountToken=YES_OR_NO,
                          securityContext=record(runAsUser=whole(0), runAsGroup=whole(0))))),
}


def schema_faults(value: Any, schema: Schema) -> list[str]:
    """`.spec.template: 'spec' is a required property`"""
    def place(error: jsonschema.ValidationError) -> str:
        return "".join(f"[{part}]" if isinstance(part, int) else f".{part}"
                       for part in error.absolute_path)
    found = jsonschema.Draft7Validator(schema).iter_errors(value)
    return sorted(f"{place(error)}: {error.message}" for error in found)


def faults(manifest: dict) -> list[str]:
    """Returns the faults of an object; if its fields are right, the names that lead nowhere."""
    kind = manifest.get("kind")
    if kind not in KINDS:
        return [f".kind: {kind!r} is none of ours"]
    return schema_faults(manifest, KINDS[kind]) or list(lost_names(manifest.get("spec")))


def lost_names(spec: dict | None) -> Iterator[str]:
    if spec is None:
        return
    if "selector" in spec:
        labels = spec["template"].get("metadata", {}).get("labels", {})
        if not spec["selector"]["matchLabels"].items() <= labels.items():
            yield ".spec.selector: does not match the labels of its template"
    pod = spec["template"]["spec"]
    volumes = [volume["name"] for volume in pod.get("volumes", [])]
    for what, names in (("volumes", volumes),
                        ("containers", [container["name"] for container in pod["containers"]])):
        if len(set(names)) < len(names):
            yield f".spec.template.spec.{what}: two have the same name"
    for at, container in enumerate(pod["containers"]):
        where = f".spec.template.spec.containers[{at}]"
        mounts = container.get("volumeMounts", [])
        yield from (f"{where}.volumeMounts: there is no volume {mount['name']!r}"
                    for mount in mounts if mount["name"] not in volumes)
        if len({mount["mountPath"] for mount in mounts}) < len(mounts):
            yield f"{where}.volumeMounts: two are at the same path"
        resources = container.get("resources", {})
        limits = resources.get("limits", {})
        # Not overcommitted, and beside memory or CPUs.
        if resources.get("requests", {}).get("hugepages-2Mi") != limits.get("hugepages-2Mi"):
            yield f"{where}.resources: huge pages that are requested are those of the limit"
        if "hugepages-2Mi" in limits and not {"cpu", "memory"} & set(limits):
            yield f"{where}.resources: huge pages need memory or CPUs beside them"


def changed(before: Any, way: str, value: Any = ...) -> Any:
    """Returns a copy with another value at `spec/containers/0/name`, or without it."""
    after = copy.deepcopy(before)
    *parents, last = [int(part) if part.isdigit() else part for part in way.split("/")]
    inner = after
    for part in parents:
        inner = inner[part]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return after
