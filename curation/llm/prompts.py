"""Prompts: Jinja2 templates from ``templates/`` or a file of the user's.

A template is untrusted text: it runs in Jinja2's sandbox, and a name it uses and nobody gives is an error, not a blank.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from curation import bundled, storage
from curation.errors import InputError

_SUFFIX = ".j2"


@dataclass(frozen=True)
class Prompt:
    """A prompt that can be filled in.

    Attributes:
        path: where the template lies.
        sha256: of the template's text; belongs into the fingerprint of what uses it.
    """

    path: Path
    sha256: str
    _template: jinja2.Template

    def render(self, **values: object) -> str:
        """Fill the template in; white space around the whole text is taken off.

        Raises:
            InputError: the template uses a name that is not given, or does what the sandbox forbids.
        """
        try:
            return self._template.render(values).strip()
        except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError) as error:
            names = ", ".join(sorted(values))
            raise InputError(f"{self.path}: {error}: the names it may use are {names}") from None


def load(name: str, directory: Path) -> Prompt:
    """Read a template.

    Args:
        name: a path, or the name of a bundled template (``solve``).
        directory: where a relative path starts.

    Raises:
        InputError: there is no such template, or it is no Jinja2.
    """
    own = directory / Path(name).expanduser()
    path = own if own.is_file() else bundled.find("templates", name, _SUFFIX)
    try:
        text = path.read_bytes().decode()
        template = _environment().from_string(text)
    except UnicodeDecodeError:
        raise InputError(f"{path} is no UTF-8 text: save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    except jinja2.TemplateSyntaxError as error:
        raise InputError(f"{path}: line {error.lineno}: {error.message}: mend the template") from None
    return Prompt(path, storage.sha256_text(text), template)


def _environment() -> jinja2.Environment:
    # Prompts are plain text for a model: escaping as for HTML would change the problems.
    return ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
