-- Branches of different types.
-- at 6
-- ==
-- error: Branches of if-expression do not have the same type.*Cannot unify i32 with bool

def f (c: bool) = if c then 1i32 else true
