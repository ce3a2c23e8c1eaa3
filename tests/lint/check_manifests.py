#!/usr/bin/python3
"""Checks manifests against the schema of Kubernetes; a field that it does not know is an error.

usage: check_manifests.py SCHEMAS FILE…

SCHEMAS is a folder of <kind>-<group>-<version>.json, of the strict flavour.
"""

import json
import pathlib
import sys

import jsonschema
import yaml


def schema_name(manifest):
    """For instance deployment-apps-v1.json; of a group with a domain only the first word counts."""
    *group, version = manifest["apiVersion"].split("/")
    parts = [manifest["kind"].lower(), *(name.split(".")[0] for name in group), version]
    return "-".join(parts) + ".json"


def faults(schemas, manifest):
    schema = json.loads((schemas / schema_name(manifest)).read_text())
    # What all of them refer to, under an address that is not to be asked.
    definitions = json.loads((schemas / "_definitions.json").read_text())
    resolver = jsonschema.RefResolver.from_schema(schema, store={definitions["$id"]: definitions})
    validator = jsonschema.validators.validator_for(schema)(schema, resolver=resolver)
    for fault in validator.iter_errors(manifest):
        yield f"{'.'.join(map(str, fault.absolute_path))}: {fault.message}"


def main():
    schemas, *files = map(pathlib.Path, sys.argv[1:])
    found = [
        f"{file}: {fault}"
        for file in files
        for manifest in yaml.safe_load_all(file.read_text())
        for fault in faults(schemas, manifest)
    ]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
