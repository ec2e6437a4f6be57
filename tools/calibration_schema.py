"""Writes the JSON Schemas of files of measurements anew, from the classes that read them.

python tools/calibration_schema.py
"""

from __future__ import annotations

import json

from motionkit.cli._calibration_files import FOLDER, SCHEMAS, json_schema

if __name__ == "__main__":
    for name, form in SCHEMAS.items():
        (FOLDER / name).write_text(json.dumps(json_schema(form), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        print(FOLDER / name)
