"""Tries to lose a message, or to refund or cancel an order twice, each printed with its outcome.

    python -m tests.tries [WORD ...]

runs every try (or those whose name holds one of the words) and exits with 1 when one succeeds. After each,
the desk is asked the same thing again and everything that waits is approved; then the store must hold each
message that was accepted once and no half of a pair, and the orders at most one row for each order, with its
call stored and what the session says of it true.
"""
