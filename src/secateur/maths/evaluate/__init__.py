"""Evaluation of elaborated expressions: the semantics that everything faster must agree with."""
