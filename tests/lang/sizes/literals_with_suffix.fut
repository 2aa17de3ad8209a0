-- 10 and 10i64 are the same size, in arguments, results, types, patterns, modules and fields,
-- whichever of the two is expected.
-- ==
-- entry: main
-- input { [1, 2, 3] } output { [2, 4, 6] [1, 2, 3, 4, 5, 6] }

-- ==
-- entry: in_types
-- input {} output { 3i64 6f32 }

-- ==
-- entry: in_modules
-- input {} output { [0, 0, 0, 0] 4i64 }

-- ==
-- entry: in_expressions
-- input { [1, 2] [3, 4, 5] } output { [1, 2, 9] 3i64 }

-- ==
-- entry: in_matches
-- input { 0 } output { [1i64, 1i64] }
-- input { 1 } output { [0i64, 1i64] }

entry main (xs: [3i64]i32) =
  let ys: [3]i32 = xs
  let f (zs: [3]i32) (ws: [3i64]i32) = map2 (+) zs ws
  in (f ys xs, (xs ++ map (+ 3) ys) : [3 + 3i64]i32)

type v3 = [3]f32
type v3' = [3i64]f32
type mat [n] [m] = [n][m]f32

def sum (v: v3') = f32.sum v
def rows (_: mat [1i64] [3]) = 3i64

entry in_types =
  let v: v3 = [1, 2, 3]
  in (rows ([v] : mat [1] [3i64]), sum v)

module type four = { val k : [4]i32 val size : [4i64]bool -> i64 }

module m : four = {
  def k : [4i64]i32 = replicate 4i64 0
  def size (xs: [4]bool) = length xs
}

entry in_modules = (copy m.k, m.size (replicate 4 true))

def prefix [n] (xs: [n + 1i64]i32) : [n]i32 = init (xs :> [1 + n]i32) :> [n]i32
def next [n] (xs: [n]i32) : [n + 1]i32 = xs ++ [9]
def butlast [n] (xs: [n - 1]i32) = length xs + n - n

entry in_expressions [n] (xs: [n]i32) (ys: [3]i32) =
  (id (next xs : [n + 1i64]i32), butlast (prefix (next (ys : [3i64]i32)) :> [4 - 1]i32))

entry in_matches (k: i32) : [2]i64 =
  match k
  case 0 -> replicate 2i64 1
  case _ -> iota 2
