-- Loops of which the return sweep reads what an iteration leaves in a parameter as well as what it
-- found there, made by sums or by loops inside: these values are rows of one log.
-- ==
-- input { 3i64 4i64 } output { [true, true, true, true, true, true, true, true, true] }
-- input { 1i64 2i64 } output { [true, true, true, true, true, true, true, true, true] }
-- input { 0i64 3i64 } output { [true, true, true, true, true, true, true, true, true] }
-- input { -2i64 1i64 } output { [true, true, true, true, true, true, true, true, true] }
import "lib/fd"

-- A table row by row, each in place, from the row above (alignments of series).
def table (g: f64) (rows: i64) (xs: []f64) : f64 =
  let n = length xs
  let last =
    loop above = map (\j -> 0.3 * f64.i64 j) (iota (n + 1)) for i < rows do
      loop row = replicate (n + 1) 1 for j < n do
        let d = f64.sin (xs[j] + f64.i64 i)
        let least = f64.exp (-above[j]) + f64.exp (-above[j + 1] / g) + f64.exp (-row[j])
        in row with [j + 1] = d * d - g * f64.log least
  in f64.sum (map2 (*) last (map (\j -> 1 + f64.i64 j) (iota (n + 1))))

-- A number, made by a sum.
def number (rows: i64) (xs: []f64) : f64 =
  let (a, b) =
    loop (a, b) = (0.5, 1) for _i < rows do
      let next = 0.3 * f64.sum (map (\x -> f64.sin (a * x)) xs)
      in (next, b * next + next * next)
  in a * b

-- Two states, of which each is the other's.
def crossed (rows: i64) (xs: []f64) : f64 =
  let (p, q) =
    loop (p, q) = (xs, map (* 2) xs) for _i < rows do
      let sums = map (\x -> f64.sum (map (\y -> f64.cos (x * y)) q)) p
      in (map2 (\s x -> 0.1 * s * x) sums p, sums)
  in f64.sum p + f64.sum (map2 (*) q xs)

-- One value in two parameters; one that nothing else reads.
def twice (rows: i64) (xs: []f64) : f64 =
  let (p, q, r) =
    loop (p, q, r) = (xs, xs, 1) for i < rows do
      let sums = map (\x -> f64.sin (x + f64.sum (map2 (*) q xs))) p
      in (sums, sums, r + f64.i64 i * f64.sum (map2 (*) sums sums))
  in r + f64.sum (map2 (*) p q)

-- In a branch, with loops around and inside, and in rows of a map.
def around (rows: i64) (xs: []f64) : f64 =
  loop s = 0.1 for k < 2 do
    if xs[0] > -10 then s * table (1 + 0.1 * f64.i64 k) rows xs + number rows xs else s
def mapped (rows: i64) (xs: []f64) : f64 =
  f64.sum (map (\k -> table (1 + 0.1 * f64.i64 k) (rows + k) xs) (iota 2))

-- The loop inside consumes an array that is read before it: it is not executed again, so the array
-- is as it was.
def consumed (rows: i64) (xs: []f64) : f64 =
  let n = length xs
  let (last, t) =
    loop (above, t) = (map (* 0.5) xs, 0) for _i < rows do
      let z = map2 (\x y -> x * y + 0.1) above xs
      let s = f64.sum (map f64.sin z)
      let r = loop row = z for j < n - 1 do row with [j + 1] = f64.sin (row[j] + above[j + 1]) + xs[j]
      in (r, t + s * s + f64.sum (map2 (*) r above))
  in t + f64.sum last

entry main (rows: i64) (n: i64) : []bool =
  let x = map (\i -> 0.4 + 0.3 * f64.sin (3 * f64.i64 i)) (iota n)
  in [ check_scalar (\xs -> table 0.7 rows xs) x
     , check_scalar (\xs -> number rows xs) x
     , check_scalar (\xs -> crossed rows xs) x
     , check_scalar (\xs -> twice rows xs) x
     , check_scalar (\xs -> around rows xs) x
     , check_scalar (\xs -> mapped rows xs) x
     , check_scalar (\xs -> consumed rows xs) x
     , check_hessian (\xs -> table 0.7 rows xs) x
     , check_hessian (\xs -> number rows xs) x
     ]
