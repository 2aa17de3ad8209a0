-- Functions with sizes that depend on parameters, as values: in records, uncurried, local.
-- ==
-- entry: main
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] }

-- ==
-- entry: rec
-- input { [1f32, 2f32] } output { 3f32 [2f32, 4f32] }

-- ==
-- entry: curry3
-- input { 1i64 2i64 } output { 1i64 2i64 2i64 }

-- ==
-- entry: locals
-- input { 4i64 } output { 8i64 6i64 }

def grid = \(n: i64) (m: i64) -> unflatten (iota (n * m))
def flipped = flip grid
def pairwise (f: (a: i64) -> (b: i64) -> [a][b]i64) (n: i64) (m: i64) = f n m
entry main (n: i64) (m: i64) = pairwise grid n m

type^ ops = {sum: (n: i64) -> [n]f32 -> f32, scale: (n: i64) -> [n]f32 -> f32 -> [n]f32}
def impl : ops =
  let sum _ xs = f32.sum xs
  let scale (n: i64) (xs: [n]f32) k = map (* k) xs
  in {sum, scale}
entry rec [n] (xs: [n]f32) = ((.sum) impl n xs, impl.scale n xs 2)

def make (n: i64) (m: i64) (k: i64) = tabulate_3d n m k (\i j l -> i + j + l)
def uncurried = \(n, m) -> make n m
entry curry3 (n: i64) (m: i64) =
  let a = uncurried (n, m) 2
  in (length a, length a[0], length a[0, 0])

entry locals (n: i64) =
  let rep k x = replicate k x
  let use f = i64.sum (f n 2i64)
  in (use rep, use (\k _ -> iota k))
