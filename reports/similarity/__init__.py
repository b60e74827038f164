"""Which submissions have so much of their code in common that somebody should read them side by side."""
