"""Configuration of the documentation. Builds without a network; every warning is an error (`make docs`)."""

from __future__ import annotations

import sys
from pathlib import Path

import motionkit

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "tools")]

project = "motionkit"
author = "The motionkit authors"
copyright = author
version = release = motionkit.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "reference"]
root_doc = "index"
exclude_patterns = ["_build", "_ext"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
maximum_signature_line_length = 100

html_theme = "furo"
html_title = f"motionkit {version}"
html_copy_source = False
html_show_sourcelink = False
