"""Draw the pretrained model that a request names: once, for all submissions."""

from dataclasses import dataclass

from graders.heads.pretrained import ModelFiles, draw_pretrained, find_files
from graders.heads.request import Request
from graders.results.heads import Drawing
from graders.sandbox.isolation.level import IsolationLevel


@dataclass(frozen=True, kw_only=True)
class OpenedRequest:
    """A request, with the drawing of its pretrained model and that model's files, where it names one."""

    request: Request
    pretrained: Drawing | None = None
    files: ModelFiles | None = None


def open_request(request: Request, level: IsolationLevel) -> OpenedRequest:
    """Draw the pretrained model, if one is named, in a box of its own.

    Raises:
        BadModel: the model's folder cannot be used.
        OSError: it cannot be read.
    """
    if request.model is None:
        return OpenedRequest(request=request)
    files = find_files(request.model.folder)
    pretrained = draw_pretrained(request.model, request.sentence, level)
    return OpenedRequest(request=request, pretrained=pretrained, files=files)
