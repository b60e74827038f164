"""Styles of form: the same computation by other functions, classes, layers, axes and files."""

from graders.audit.styles import axis_forms, file_forms, function_forms, layer_forms

STYLES = (*function_forms.STYLES, *layer_forms.STYLES, *axis_forms.STYLES, *file_forms.STYLES)
