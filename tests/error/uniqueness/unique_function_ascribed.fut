-- So does an ascription.
-- at 6
-- ==
-- error: incompatible uniqueness

def f (x: []f32) = ((\y -> y) : []f32 -> *[]f32) x
