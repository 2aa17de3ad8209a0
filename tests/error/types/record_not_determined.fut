-- Several projections do not determine a record type.
-- at 6
-- ==
-- error: Must be a record with fields .x: i32, y: i32.

def f r = r.x + r.y : i32
