-- Functions with hidden result sizes as arguments of lifted functions.
def ap '^a '^b (f: a -> b) (x: a) = f x
def ap' '~a '~b (f: a -> b) (x: a) = f x
-- ==
-- input { [1, 2, 3] } output { 2i64 1i64 [2, 3, 4] }
entry main (xs: []i32) =
  (length (ap (filter (> 1)) xs), length (ap' (filter (> 2)) xs), ap (map (+ 1)) xs)
