"""A bill of materials beside the wheel: every package that softmark needs, as CycloneDX 1.6 in JSON.

    make dist

Made of what is installed: names, versions, licences and who needs whom, from the packages' own metadata.
"""

import json
import re
import sys
import uuid
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT_PACKAGE = "softmark"
LICENCE_LENGTH = 100  # characters; some packages have the whole text of a licence there


def bill_of_materials() -> dict[str, Any]:
    """The bill, the same for the same packages."""
    packages = closure()
    references = {name: _purl(found) for name, found in packages.items()}
    components = [_component(found) for name, found in sorted(packages.items()) if name != ROOT_PACKAGE]
    dependencies = [
        {"ref": references[name], "dependsOn": sorted(references[n] for n in needs(found) if n in references)}
        for name, found in sorted(packages.items())
    ]
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([components, dependencies]))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"component": _component(packages[ROOT_PACKAGE]) | {"type": "application"}},
        "components": components,
        "dependencies": dependencies,
    }


def closure() -> dict[str, Distribution]:
    """The installed packages that softmark needs, those that they need and so on, by normalised names."""
    found = {ROOT_PACKAGE: distribution(ROOT_PACKAGE)}
    left = [ROOT_PACKAGE]
    while left:
        for name in needs(found[left.pop()]):
            if name not in found:
                try:
                    found[name] = distribution(name)
                except PackageNotFoundError:  # for another platform
                    continue
                left.append(name)
    return found


def needs(package: Distribution) -> Iterator[str]:
    """The normalised names of the packages that a package needs here, without its extras."""
    for text in package.requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield _normalised(requirement.name)


def _component(package: Distribution) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": _purl(package),
        "name": package.metadata["Name"],
        "version": package.version,
        "purl": _purl(package),
    }
    if licence := _licence(package):
        component["licenses"] = [licence]
    return component


def _licence(package: Distribution) -> dict[str, Any] | None:
    if expression := package.metadata.get("License-Expression"):
        return {"expression": expression}
    classifiers = package.metadata.get_all("Classifier") or []
    names = [c.rpartition(" :: ")[2] for c in classifiers if c.startswith("License :: ")]
    name = ", ".join(names) or package.metadata.get("License", "")
    return {"license": {"name": name.splitlines()[0][:LICENCE_LENGTH]}} if name else None


def _purl(package: Distribution) -> str:
    version = package.version.replace("+", "%2B")
    return f"pkg:pypi/{_normalised(package.metadata['Name'])}@{version}"


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(bill_of_materials(), indent=2) + "\n", encoding="utf-8")
