"""Proves that programs which generate types read the JSON Schemas of generated/jsonschema.

json-schema-to-typescript, quicktype and datamodel-code-generator read each ``*.types.json`` without
a network. Each must give one type per message, and its output must compile: tsc checks every
example of tests/vectors as a value of its type, and pydantic reads and prints it. Ajv compiles
every bundle in its strict mode, and accepts every text that Turnwire reads.

The programs are installed into .schema-generators, in the versions of schema_generators.toml. Where
Node.js is missing nothing is run, which fails if INTEROP_REQUIRE_ALL=1.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from environment import GENERATED, ROOT, make_environment, python_of
from vector_files import Vector, read_vectors

TOOLS = ROOT / ".schema-generators"
OUTPUT = TOOLS / "output"
SCHEMAS = GENERATED / "jsonschema"
SUFFIX = ".types.json"

_PROGRAMS = Path(__file__).with_name("schema_generators")
_VERSIONS = Path(__file__).with_suffix(".toml")

# The model would hide pydantic's own Field.
_RENAMED_BY_DATAMODEL_CODEGEN = {"Field": "FieldModel"}


class Failed(Exception):
    """A program failed, or wrote something else than expected; the text says what."""


def install() -> None:
    """Installs the programs when they are missing or their versions have changed."""
    installed = TOOLS / "installed.toml"
    wanted = _VERSIONS.read_text(encoding="utf-8")
    if installed.exists() and installed.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(TOOLS, ignore_errors=True)
    TOOLS.mkdir()
    versions = tomllib.loads(wanted)
    make_environment(TOOLS / "python", *(f"{name}=={v}" for name, v in versions["pypi"].items()))
    package = {"private": True, "type": "module", "dependencies": versions["npm"]}
    (TOOLS / "package.json").write_text(json.dumps(package), encoding="utf-8")
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"]
    subprocess.run(npm, cwd=TOOLS, check=True)
    installed.write_text(wanted, encoding="utf-8")


@cache
def without_network() -> tuple[str, ...]:
    """Returns the start of a command that runs another one without a network, where Linux can."""
    command = ("unshare", "--net", "--map-root-user")
    if shutil.which("unshare"):
        done = subprocess.run([*command, "true"], capture_output=True)
        if done.returncode == 0:
            return command
    print("the network cannot be cut off here: the programs run with it", flush=True)
    return ()


def run(*command: str | Path) -> None:
    """Runs a command in .schema-generators without a network.

    Raises:
        Failed: It failed.
    """
    line = [*without_network(), *map(str, command)]
    done = subprocess.run(line, cwd=TOOLS, capture_output=True, text=True)
    if done.returncode != 0:
        said = f"{done.stdout[-3000:]}{done.stderr[-3000:]}".strip()
        raise Failed(f"{' '.join(map(str, command))} exited {done.returncode}:\n{said}")


def node_program(name: str) -> Path:
    """Returns the path of a program that npm installed."""
    return TOOLS / "node_modules" / ".bin" / name


def json_schema_to_typescript(api: str) -> Path:
    """Writes the types of an API with json-schema-to-typescript."""
    output = OUTPUT / f"{api}_json2ts.ts"
    source = SCHEMAS / f"{api}{SUFFIX}"
    run(node_program("json2ts"), "--unreachableDefinitions", "-i", source, "-o", output)
    return output


def quicktype(api: str) -> Path:
    """Writes the types of an API with quicktype; the end of the path asks for all definitions."""
    output = OUTPUT / f"{api}_quicktype.ts"
    source = f"{SCHEMAS / api}{SUFFIX}#/$defs/"
    options = ("--lang", "typescript", "--just-types", "--acronym-style", "original")
    run(node_program("quicktype"), "--src-lang", "schema", *options, "--src", source, "-o", output)
    return output


def datamodel_code_generator(api: str) -> Path:
    """Writes pydantic models of an API with datamodel-code-generator."""
    output = OUTPUT / f"{api}_models.py"
    source = ("--input", SCHEMAS / f"{api}{SUFFIX}", "--input-file-type", "jsonschema")
    target = ("--output", output, "--output-model-type", "pydantic_v2.BaseModel")
    program = python_of(TOOLS / "python").with_name("datamodel-codegen")
    run(program, *source, *target, "--formatters", "builtin")
    return output


GENERATORS = (json_schema_to_typescript, quicktype, datamodel_code_generator)


def check_types(path: Path, messages: set[str]) -> None:
    """Checks that a generated file declares each message once.

    Raises:
        Failed: A message is missing, or was declared several times.
    """
    text = path.read_text(encoding="utf-8")
    typescript = path.suffix == ".ts"
    declared = r"^export (?:interface|type) (\w+)" if typescript else r"^class (\w+)"
    found = re.findall(declared, text, flags=re.MULTILINE)
    renamed = {} if typescript else _RENAMED_BY_DATAMODEL_CODEGEN
    if missing := {renamed.get(name, name) for name in messages} - set(found):
        raise Failed(f"{path.name} lacks types of {sorted(missing)}")
    # A second type of the same message has a digit at its end.
    if copies := {name for name in found if name.rstrip("0123456789") in messages} - messages:
        raise Failed(f"{path.name} has several types of one message: {sorted(copies)}")


def check_typescript(paths: list[Path], examples: dict[str, list[Any]]) -> None:
    """Compiles the generated files, and every example as a value of its type."""
    for path in paths:
        lines = [f'import type * as api from "./{path.stem}.js";']
        for name, values in examples.items():
            for value in values:
                lines.append(f"({json.dumps(value)}) satisfies api.{name};")
        path.with_name(f"{path.stem}_examples.ts").write_text("\n".join(lines), encoding="utf-8")
    files = [file for path in paths for file in (path, path.with_name(f"{path.stem}_examples.ts"))]
    options = ("--noEmit", "--strict", "--module", "nodenext", "--target", "es2022")
    run(node_program("tsc"), *options, "--types", "", *files)


def check_python(path: Path, examples: dict[str, list[Any]]) -> None:
    """Reads every example with the model of its type, and compares what the model prints."""
    renamed = {_RENAMED_BY_DATAMODEL_CODEGEN.get(name, name): v for name, v in examples.items()}
    values = path.with_suffix(".json")
    values.write_text(json.dumps(renamed), encoding="utf-8")
    run(python_of(TOOLS / "python"), "-W", "error", _PROGRAMS / "read_models.py", path, values)


def check_ajv() -> None:
    """Compiles every bundle in Ajv's strict mode, and validates all accepted texts."""
    texts: dict[str, dict[str, list[str]]] = {}
    for vector in read_vectors():
        api, name = definition_of(vector)
        accepted = [data.decode("utf-8", "surrogatepass") for data in vector.texts.values()]
        texts.setdefault(api, {}).setdefault(name, []).extend(accepted)
    for api, accepted in texts.items():
        file = OUTPUT / f"{api}_accepted.json"
        file.write_text(json.dumps(accepted), encoding="utf-8")
        # Where it stands, Node.js finds the packages.
        program = shutil.copy(_PROGRAMS / "validate.js", TOOLS)
        run("node", program, SCHEMAS / f"{api}.json", file)
        run("node", program, SCHEMAS / f"{api}{SUFFIX}")


def definition_of(vector: Vector) -> tuple[str, str]:
    """Returns the API of a vector's type, and the type's name in ``$defs``."""
    api, _, name = vector.type.removeprefix("turnwire_schema.").partition(".v1.")
    return api, name.replace(".", "")


def examples_of(api: str) -> dict[str, list[Any]]:
    """Returns the canonical JSON values of the examples of an API, by the name in ``$defs``."""
    found: dict[str, list[Any]] = {}
    for vector in read_vectors():
        if vector.is_example and vector.json is not None and definition_of(vector)[0] == api:
            found.setdefault(definition_of(vector)[1], []).append(json.loads(vector.json))
    return found


def problems() -> Iterator[str]:
    """Yields what does not work, and prints what does."""
    for path in sorted(SCHEMAS.glob(f"*{SUFFIX}")):
        api = path.name.removesuffix(SUFFIX)
        examples = examples_of(api)
        written = []
        try:
            for generator in GENERATORS:
                written.append(generator(api))
                check_types(written[-1], set(examples))
                print(f"{api}: {generator.__name__} gives one type per message", flush=True)
            check_typescript([made for made in written if made.suffix == ".ts"], examples)
            check_python(written[-1], examples)
            print(f"{api}: the types compile and take every example", flush=True)
        except Failed as error:
            yield f"{api}: {error}"
    try:
        check_ajv()
        print("Ajv compiles every bundle in strict mode and takes every accepted text", flush=True)
    except Failed as error:
        yield str(error)


def main() -> int:
    missing = [name for name in ("node", "npm") if shutil.which(name) is None]
    if missing:
        print(f"skipped, {' and '.join(missing)} not on the PATH")
        return 1 if os.environ.get("INTEROP_REQUIRE_ALL") == "1" else 0
    install()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir()
    found = list(problems())
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
