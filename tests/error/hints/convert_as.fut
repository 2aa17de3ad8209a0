-- A conversion with a word.
-- at 6
-- ==
-- error: functions convert: f64.i32

def f (x: i32) = x as f32
