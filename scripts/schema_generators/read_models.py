"""Reads examples with generated pydantic models: `read_models.py MODELS.py EXAMPLES.json`.

It runs in the environment of the generators, which has pydantic.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path


def main() -> None:
    models, examples = map(Path, sys.argv[1:])
    spec = importlib.util.spec_from_file_location("models", models)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["models"] = module
    spec.loader.exec_module(module)
    count = 0
    for name, values in json.loads(examples.read_text(encoding="utf-8")).items():
        for value in values:
            model = getattr(module, name).model_validate_json(json.dumps(value), strict=True)
            printed = json.loads(model.model_dump_json(by_alias=True, exclude_unset=True))
            assert printed == value, f"{name}: expected {value}, got {printed}"
            count += 1
    assert count > 0


if __name__ == "__main__":
    main()
