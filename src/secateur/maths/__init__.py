"""Expressions, predicates and substitutions: parsed, typed, evaluated, solved."""
