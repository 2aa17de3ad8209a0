-- The suffix of a literal does not matter in a size.
-- ==
-- entry: main
-- input { true } output { [0i64, 1i64, 2i64] [1, 1, 1, 1] 10i64 }

-- ==
-- entry: halved
-- input { [1i64, 2i64, 3i64, 4i64] } output { 3i64 }

-- ==
-- entry: branches
-- input { false } output { [3, 3] }

-- ==
-- entry: operands
-- input { [1, 2] } output { [1, 2, 1, 2] }

def three : [3]i64 = iota 3i64
def four (b: bool) : [4]i32 = if b then replicate 4 1 else replicate 4i64 2
def five (xs: [5]i64) = i64.sum xs

entry main b = (copy three, four b, five (iota 5i64))

def halves [n] (xs: [n]i64) : [n / 2i64]i64 = take (n / 2i64) xs

entry halved [n] (xs: [n]i64) : i64 =
  let ys: [n / 2]i64 = halves xs
  in i64.sum ys

-- Either way around.
entry branches (b: bool) : [2]i32 = if b then replicate 2i64 1 else map (+ 1) (replicate 2 2)

def doubled [n] (xs: [n]i32) : [2 * n]i32 = xs ++ xs :> [2 * n]i32

entry operands [n] (xs: [n]i32) : [2i64 * n]i32 = doubled xs
