-- A type that is defined after it is used.
-- at 6
-- ==
-- error: it is defined at 8:6-9, but a definition sees only those before it

def f (x: vec) : f32 = x.0

type vec = (f32, f32)
