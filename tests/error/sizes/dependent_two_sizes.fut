-- A function that wants two arrays of one size does not take those of two.
-- ==
-- error: .
def call (f: (k: i64) -> (l: i64) -> [k]i32 -> [l]i32 -> i32) = f 1 2 [1] [2, 3]
entry main (x: i32) =
  let dot _ _ xs ys = i32.sum (map2 (*) xs ys)
  in call dot + x
