"""A definition in a `try` is reached if and only if the notebook reaches it; the rest does not run."""

from tests.support.notebooks import cells, kept, taken, value

COLAB = """
try:
    import somewhere.only_on_colab
    print("downloading")
    ON_COLAB = True
except ImportError:
    ON_COLAB = False
"""


def test_a_flag_set_after_an_import_tells_whether_it_went_well():
    program = cells(
        COLAB,
        "if ON_COLAB:\n    def f():\n        return 'colab'\nelse:\n    def f():\n        return 'here'",
    )
    assert value(program, "f")() == "here"


def test_a_definition_in_a_handler_is_reached_when_the_import_fails():
    program = cells(
        "try:\n    import nowhere\n    train()\nexcept ImportError:\n    def f():\n        return 1"
    )
    assert value(program, "f")() == 1
    assert not any("train" in line for line in kept(taken(program, "f")))


def test_a_definition_after_a_failing_import_is_not_reached():
    first = "def f():\n    return 'first'"
    program = cells(
        first,
        "try:\n    import nowhere\n    def f():\n        return 'second'\nexcept ImportError:\n    pass",
    )
    assert value(program, "f")() == "first"


def test_a_definition_in_a_try_that_goes_well_needs_nothing_else_of_it():
    program = cells("try:\n    download()\n    def f():\n        return 2\nexcept Exception:\n    pass")
    assert value(program, "f")() == 2
    assert not any("download" in line for line in kept(taken(program, "f")))
