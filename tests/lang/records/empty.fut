-- The empty record is the unit value.
def f (u: {}) : () = u
-- ==
-- input { 3 } output { 3 }
entry main (x: i32) = let () = f () in x
