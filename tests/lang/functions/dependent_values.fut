-- Functions whose sizes depend on a parameter, as values.
def grid (w: i64) (h: i64) (v: i64) = tabulate_2d w h (\i j -> i * h + j + v)
def grid' = uncurry grid

-- ==
-- entry: uncurried
-- input { 2i64 3i64 } output { [3i64, 12i64] }
entry uncurried (w: i64) (h: i64) = map i64.sum (grid' (w, h) 0)

def row (w: i64) (v: i64) = replicate w v
def apply '^a '^b (f: a -> b) (x: a) = f x

-- ==
-- entry: applied
-- input { 2i64 } output { [7i64, 7i64] }
entry applied (w: i64) = let f = apply row w in f 7

def ops = {ones = \(n: i64) -> replicate n 1i32, add = \(n: i64) (xs: [n]i32) -> i32.sum xs}
def use (f: (n: i64) -> [n]i32 -> i32) = f 3 [1, 2, 3]

-- ==
-- entry: section
-- input {} output { 6 }
entry section = ops |> (.add) |> use

-- ==
-- entry: made
-- input { 3i64 } output { [1, 1, 1] }
entry made (n: i64) = let f = ops |> (.ones) in f n

type^ summer = {sum: (k: i64) -> [k]f32 -> f32}

def zero : summer =
  let sum _ _ = 0
  in {sum}

def plain : summer =
  let sum (_: i64) xs = f32.sum xs
  in {sum}

-- ==
-- entry: fields
-- input {} output { 9f32 }
entry fields = zero.sum 3 [1, 2, 3] + plain.sum 2 [4, 5]

def call (f: (k: i64) -> [k]i32 -> i64) = f 2 [1, 2]

-- ==
-- entry: argument
-- input {} output { 2i64 3i64 }
entry argument =
  let f n _ = n
  let g (n: i64) xs = n + length (filter (> 1) xs)
  in (call f, call g)

def twice (f: (k: i64) -> [k]i32 -> [k]i32) (n: i64) (xs: [n]i32) : [n]i32 = f n (f n xs)

-- The result has the size of the argument.
-- ==
-- entry: kept
-- input { [1, 2, 3] } output { [4, 8, 12] }
entry kept [n] (xs: [n]i32) =
  let double _ ys = map (* 2) ys
  in twice double n xs

def total [n] (_: i64) (xs: [n]i32) = i32.sum xs

-- ==
-- entry: global
-- input {} output { 6 }
entry global = use total
