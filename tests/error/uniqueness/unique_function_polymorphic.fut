-- A polymorphic function that gives its argument is none with a unique result.
-- at 7
-- ==
-- error: incompatible uniqueness

def app (f: []f32 -> *[]f32) (x: []f32) : *[]f32 = f x
def g (x: []f32) = app id x
