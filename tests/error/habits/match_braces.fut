-- A match of Rust.
-- at 6
-- ==
-- error: a choice between cases is written "match e

def f (x: f64) = match x { 1 => 2, _ => 3 }
