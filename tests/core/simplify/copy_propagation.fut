-- Names for the same thing.
-- structure simplify: atom 0, prim 1
-- ==
-- input { 3i32 } output { 4i32 }
entry main (x: i32) : i32 = let y = x let z = y let w = z + 0 in w * 1 + 1
