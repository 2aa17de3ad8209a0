-- The parameter of a lambda is irrefutable.
-- at 6
-- ==
-- error: Refutable pattern not allowed here.*Unmatched cases:.*false

def f = \true -> 1i32
