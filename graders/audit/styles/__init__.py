"""Known answers, rewritten as other people would write them, must keep their verdict."""
