"""Promela beside Spin: Spin's figures for a model, its graphs, and ours compared with them.

Run as `python -m tools.promela.spin`, `.graphs` or `.compare`; `make promela` does the last.
"""
