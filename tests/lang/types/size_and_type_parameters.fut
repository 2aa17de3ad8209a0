-- A type with a size and a type for parameters, given an array type.
-- ==
-- input { [[1,2],[3,4],[5,6]] } output { [9,12] 3i64 }
type tab [n] 'a = {rows: [n]a, tag: i32}
def sumrows [n][m] (t: tab [n] ([m]i32)) : [m]i32 =
  reduce (map2 (+)) (replicate m 0) t.rows
def rows [n] 'a (t: tab [n] a) = length t.rows
entry main (x: [][]i32) = let t = {rows = x, tag = 1} in (sumrows t, rows t)
