-- A function whose result is not unique, where one with a unique result is wanted.
-- at 7
-- ==
-- error: incompatible uniqueness

def clear (f: i64 -> *[3]f32) (i: i64) : *[3]f32 = f i with [0] = 0
def g (rows: [4][3]f32) (i: i64) = clear (\(j: i64) : [3]f32 -> rows[j]) i
