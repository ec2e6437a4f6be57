"""Writes the JSON Schema of program files anew, from the classes that read them.

python tools/program_schema.py
"""

from __future__ import annotations

import json

from motionkit.program._json_schema import SCHEMA_FILE, json_schema

if __name__ == "__main__":
    SCHEMA_FILE.write_text(json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(SCHEMA_FILE)
