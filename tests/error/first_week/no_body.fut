-- A declaration without a value.
-- at 6
-- ==
-- error: a definition has a value: "def x : i32 = \.\.\."\.

def x : i32
