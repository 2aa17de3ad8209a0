-- A function of Rust.
-- at 6
-- ==
-- error: a function is defined by "def f

fn f(x: f64) -> f64 { x + 1.0 }
