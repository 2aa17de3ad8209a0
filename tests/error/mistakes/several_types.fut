-- Several types.
-- at 6
-- ==
-- error: Unknown type "int".*Unknown type "float"

def f (x: int) (y: float) = x
