-- Lifted type parameters take functions.
def apply '^a '^b (f: a -> b) (x: a) : b = f x
def konst '^a '~b (x: a) (_: b) : a = x
-- ==
-- input { 3 } output { 4 5 }
entry main (x: i32) = (apply (apply (\y z -> y + z)) 1 x, (konst (+ 2) [x]) x)
