-- A literal too big for what an abbreviation stands for.
-- at 7
-- ==
-- error: Literal 300 out of bounds for inferred type u8

type byte = u8
def f : byte = 300
