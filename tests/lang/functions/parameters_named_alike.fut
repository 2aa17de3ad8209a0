-- Function types beside each other may use the same names, and so may a type inside a function.
-- ==
-- input { 2i64 } output { 2i64 3i64 }
def both (f: (n: i64) -> [n]i32) (g: (n: i64) -> [n]i32) = length (f 2) + length (g 0)

def left (h: ((n: i64) -> i64) -> (n: i64) -> i64) (n: i64) = h (\(n: i64) -> n) n

entry main (n: i64) = (both (\n -> replicate n 1) (\n -> replicate n 1),
                       left (\f n -> f n + 1) n)
