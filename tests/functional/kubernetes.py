"""Objects of Kubernetes, as far as ours have them: the fields that it knows, and what is none of them."""

# What may be in an object, as kubernetes.io/docs/reference says (v1, apps/v1, batch/v1), as far as is used.
OBJECT = {"apiVersion": "", "kind": "", "metadata": {"name": "", "namespace": "", "labels": {"*": ""}}}
PROBE = {"exec": {"command": [""]}, "periodSeconds": 1, "timeoutSeconds": 1, "failureThreshold": 1}
RESOURCES = {"cpu": "", "memory": "", "hugepages-2Mi": ""}
ONE_CONTAINER = {
    "name": "", "image": "", "imagePullPolicy": "", "command": [""], "args": [""],
    "env": [{"name": "", "valueFrom": {"fieldRef": {"fieldPath": ""}}}],
    "securityContext": {"runAsUser": 1, "readOnlyRootFilesystem": True,
                        "allowPrivilegeEscalation": True,
                        "capabilities": {"drop": [""], "add": [""]}},
    "resources": {"requests": RESOURCES, "limits": RESOURCES},
    "startupProbe": PROBE, "readinessProbe": PROBE, "livenessProbe": PROBE,
    "volumeMounts": [{"name": "", "mountPath": "", "subPath": "", "readOnly": True}]}
JOB = {**OBJECT, "spec": {
    "completionMode": "", "completions": 1, "parallelism": 1, "backoffLimitPerIndex": 1,
    "ttlSecondsAfterFinished": 1, "activeDeadlineSeconds": 1,
    "template": {"metadata": {"labels": {"*": ""}}, "spec": {
        "restartPolicy": "", "automountServiceAccountToken": True,
        "securityContext": {"runAsUser": 1, "runAsGroup": 1},
        "containers": [ONE_CONTAINER],
        "volumes": [{"name": "", "persistentVolumeClaim": {"claimName": ""}}]}}}}


def strangers(value, schema, path="") -> list[str]:
    """What is not in the schema, or is of another type."""
    if isinstance(schema, dict) and isinstance(value, dict):
        return [fault for key, inner in value.items() for fault in (
            strangers(inner, schema.get(key, schema.get("*")), f"{path}.{key}")
            if key in schema or "*" in schema else [f"{path}.{key}"])]
    if isinstance(schema, list) and isinstance(value, list):
        return [fault for index, item in enumerate(value)
                for fault in strangers(item, schema[0], f"{path}[{index}]")]
    return [] if type(value) is type(schema) else [f"{path} is {value!r}"]
