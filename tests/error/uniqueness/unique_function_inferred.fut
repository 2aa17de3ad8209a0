-- The same without an annotation: what the lambda gives is not its own.
-- at 7
-- ==
-- error: incompatible uniqueness

def clear (f: i64 -> *[3]f32) (i: i64) : *[3]f32 = f i with [0] = 0
def g (rows: [4][3]f32) (i: i64) = clear (\j -> rows[j]) i
