-- The logical right shift is only in the modules.
-- at 6
-- ==
-- error: Unknown name ">>>"

def f (x: i32) = x >>> 1
