"""The report of a calibration: JSON for scripts, and one HTML file that works offline and escapes what it shows."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import jinja2

from curation import bundled, storage
from curation.json_reader import dumps
from curation.llm.calibration import Calibration

JSON_FILE, HTML_FILE = "calibration.json", "calibration.html"


def write_calibration(found: Calibration, directory: Path) -> Path:
    """Write both files and return the path of the HTML file.

    Raises:
        InputError: the directory cannot be written.
    """
    storage.write_text(directory / JSON_FILE, dumps(asdict(found)) + "\n")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(bundled.folder("templates")), autoescape=True, undefined=jinja2.StrictUndefined
    )
    html = environment.get_template("calibration_report.html.j2").render(found=found)
    storage.write_text(directory / HTML_FILE, html)
    return directory / HTML_FILE
