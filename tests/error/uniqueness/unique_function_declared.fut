-- A declared function type asks for the same.
-- at 7
-- ==
-- error: incompatible uniqueness

def same (x: []f32) : []f32 = x
def f : []f32 -> *[]f32 = same
