"""Texts that models are trained and judged on."""
