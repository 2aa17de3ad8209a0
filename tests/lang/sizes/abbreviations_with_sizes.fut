-- Abbreviations over abbreviations with sizes.
type vec [n] 'a = [n]a
type mat [n][m] 'a = vec [n] (vec [m] a)
type square [n] = mat [n][n] i32
def diagonal [n] (m: square [n]) : vec [n] i32 = map (\i -> m[i, i]) (iota n)
def rows (m: mat [] [] i32) : i64 = length m
-- ==
-- input { [[1, 2], [3, 4]] } output { [1, 4] 2i64 }
entry main [n] (m: [n][n]i32) = (diagonal m, rows m)
