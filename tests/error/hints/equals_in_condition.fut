-- An equals sign for a comparison.
-- at 6
-- ==
-- error: Unexpected "=".*equality is \"==\"

def f (b: bool) = if b = true then 1i32 else 2
