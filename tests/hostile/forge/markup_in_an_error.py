"""Raises an error whose name and text are HTML, a script, a formula and terminal escapes.

outcome: raised
says: softmark
"""

TEXT = (
    "</pre></code></script><script>softmark()</script><img src=x onerror=softmark()><iframe srcdoc=softmark>"
    "{{ softmark }}{% for x in softmark %}${softmark}\x1b[2Jsoftmark\u202e\n=HYPERLINK(\"http://softmark\")\n"
    "[bold red]softmark[/] :smile: javascript:softmark() \u2028 &#60;script&#62; ]]> --> \x00"
)
Error = type("=cmd|'/c softmark'!A1<script>softmark</script>\x1b[31m\n", (Exception,), {})


def concat_heads(x):
    print(TEXT)
    raise Error(TEXT)
