-- Tuples are records with numbered fields.
def f (p: {0: i32, 1: bool}) : (i32, bool) = p
-- ==
-- input { 3 } output { 3 true 3 }
entry main (x: i32) = let p = f (x, true) in (p.0, p.1, {0 = x, 1 = x}.0)
