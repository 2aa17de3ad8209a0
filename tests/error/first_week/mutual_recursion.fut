-- Functions that call each other.
-- at 6
-- ==
-- error: move it up; functions that call each other have to become one\.

def even (n: i64) : bool = if n == 0 then true else odd (n - 1)
def odd (n: i64) : bool = if n == 0 then false else even (n - 1)
