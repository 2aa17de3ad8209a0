-- Operators defined by the program.
def (+^) (x: i32) (y: i32) = x + 2 * y
def x <*> y = x * y + 1i32
def x |> f = f x + 1000i32
def (>>=) (x: i32) (y: i32) = x - y
-- ==
-- input { 1 2 3 } output { 13 7 1001 }
entry main (x: i32) (y: i32) (z: i32) = (x +^ y * z, y <*> z, x |> (\a -> a - 0))

-- ==
-- entry: level
-- input { 10 } output { 6 }
entry level (x: i32) = x >>= 1 + 3
