-- Functions that give a parameter back where it was: updated, through branches, loops, calls of
-- themselves and of each other; with arguments that are parts of arrays, and results in other order.

def bump [n] (i: i64) (xs: *[n]i64) : *[n]i64 =
  if i < n then bump (i + n) (xs with [i] = xs[i] + 1) else xs

def fill [n] (i: i64) (xs: *[n]i64) : *[n]i64 =
  if i >= n then xs else fill (i + 1) (xs with [i] = i * 10)

-- ==
-- entry: filled
-- input { [1i64, 2i64, 3i64] } output { [0i64, 10i64, 20i64] [1i64, 2i64, 3i64] }
entry filled [n] (xs: [n]i64) : ([n]i64, [n]i64) = (fill 0 (copy xs), xs)

-- A loop of calls.
-- ==
-- entry: bumped
-- input { 5i64 [1i64, 2i64, 3i64] } output { [2i64, 3i64, 4i64] }
entry bumped [n] (k: i64) (xs: *[n]i64) : *[n]i64 = loop xs for i < k do bump i xs

-- The argument is a part of an array, in a loop that goes on with parts.
-- ==
-- entry: parts
-- input { [1i64, 2i64, 3i64, 4i64] } output { 18i64 [4i64] }
entry parts [n] (xs: [n]i64) : (i64, []i64) =
  loop (s, ys: []i64) = (0, xs) while length ys > 1 do
    let zs = loop zs = copy ys for i < 2 do bump i zs
    in (s + zs[0] + zs[1] - 1, ys[1:])

-- ==
-- entry: rows
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[1i64, 3i64], [3i64, 5i64]] }
entry rows [n][m] (xss: *[n][m]i64) : *[n][m]i64 =
  loop xss for i < n do xss with [i] = bump 1 (copy xss[i])

-- Two arrays, given in the other order now and then.
def turns [n] (k: i64) (xs: *[n]i64) (ys: *[n]i64) : (*[n]i64, *[n]i64) =
  if k == 0 then (xs, ys) else turns (k - 1) (ys with [0] = k) xs

-- ==
-- entry: turned
-- input { 3i64 [1i64, 1i64] [2i64, 2i64] } output { [1i64, 2i64] [2i64, 1i64] }
-- input { 0i64 [1i64, 1i64] [2i64, 2i64] } output { [1i64, 1i64] [2i64, 2i64] }
entry turned [n] (k: i64) (xs: *[n]i64) (ys: *[n]i64) : (*[n]i64, *[n]i64) = turns k xs ys

-- The second parameter is the first result.
def other [n] (k: i64) (xs: *[n]i64) (ys: *[n]i64) : (*[n]i64, *[n]i64) =
  if k == 0 then (ys, xs)
  else let (a, b) = other (k - 1) (xs with [0] = k) ys
       in (a with [1] = k, b)

-- ==
-- entry: others
-- input { 2i64 [1i64, 1i64] [2i64, 2i64] } output { [2i64, 2i64] [1i64, 1i64] }
entry others [n] (k: i64) (xs: *[n]i64) (ys: *[n]i64) : (*[n]i64, *[n]i64) = other k xs ys

-- A new array in one of the cases.
def sometimes [n] (k: i64) (xs: *[n]i64) : *[n]i64 =
  if k == 0 then xs
  else if k == 3 then sometimes (k - 1) (map (+ 100) xs)
  else let ys = sometimes (k - 1) xs in ys with [0] = ys[0] * 2

def fresh [n] (k: i64) (xs: *[n]i64) : *[n]i64 =
  if k == 0 then map (+ 1) xs else fresh (k - 1) (xs with [0] = k)

-- ==
-- entry: new
-- input { 4i64 [1i64, 2i64] } output { [808i64, 102i64] [2i64, 3i64] }
entry new [n] (k: i64) (xs: [n]i64) : ([n]i64, [n]i64) = (sometimes k (copy xs), fresh k (copy xs))

-- The result of a call is needed again after it was copied; and a failure on the way.
-- ==
-- entry: kept
-- input { [1i64, 2i64] 1i64 } output { [1i64, 3i64] [1i64, 4i64] }
-- input { [1i64, 2i64] 2i64 } error: out of bounds
entry kept [n] (xs: [n]i64) (i: i64) : ([n]i64, [n]i64) =
  let a = bump i (copy xs)
  let b = bump i (copy a)
  in (a, b with [i] = b[i])

-- In the rows of a map, with the gradient.
def powers [n] (i: i64) (x: f64) (xs: *[n]f64) : *[n]f64 =
  if i == n then xs else powers (i + 1) x (xs with [i] = xs[i - 1] * x)

-- ==
-- entry: gradients
-- input { [1f64, 2f64] } output { [10f64, 49f64] }
entry gradients [m] (xs: [m]f64) : [m]f64 =
  map (\x -> vjp (\x -> f64.sum (powers 1 x (replicate 5 1f64))) x 1) xs
