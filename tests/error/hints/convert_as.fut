-- A conversion with a word.
-- at 6
-- ==
-- error: a function converts: "f64.i32 x"

def f (x: i32) = x as f32
