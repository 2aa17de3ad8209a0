-- Recursive functions whose results come with their adjoints, and some whose cannot.
-- ==
-- input { 4i64 } output { [true, true, true, true, true, true, true, true] }
-- input { 1i64 } output { [true, true, true, true, true, true, true, true] }
import "../loops/lib/agree"

-- Sums of products: the adjoint of a call does not depend on its result.
def minor [n] (a: [n][n]f64) (row: i64) (used: u64) : f64 =
  if row == n
  then 1
  else let (d, _) =
         loop (d, sign) = (0, 1)
         for col < n do
           if u64.get_bit (i32.i64 col) used == 1
           then (d, sign)
           else let rest = minor a (row + 1) (u64.set_bit (i32.i64 col) used 1)
                in (d + sign * a[row, col] * rest, -sign)
       in d

-- A chain.
def chain [n] (x: [n]f64) (i: i64) : f64 =
  if i == n then 0.3 else x[i] * chain x (i + 1) + f64.sin x[i]

-- The result goes through a function: its adjoint depends on it.
def wave [n] (x: [n]f64) (i: i64) : f64 =
  if i == n then 0.3 else f64.sin (x[i] * wave x (i + 1))

-- Two results multiplied.
def tree [n] (x: [n]f64) (i: i64) : f64 =
  if i >= n then 0.9 else x[i] * tree x (2 * i + 1) * tree x (2 * i + 2) + 0.5

-- Two results added, and one of them decides.
def decide [n] (x: [n]f64) (i: i64) : f64 =
  if i >= n then 0.9
  else let a = decide x (2 * i + 1)
       let b = decide x (2 * i + 2)
       in if a > 0.5 then a * x[i] + b else a - b * x[i]

-- A loop that does not add up.
def product [n] (x: [n]f64) (i: i64) : f64 =
  loop p = 1.1 for j < i do p * x[j % n] + product x (j / 2) * p

-- One that calls another one, too.
def odd [n] (x: [n]f64) (i: i64) : f64 = if i >= n then 1 else x[i] + 0.7 * x[i] * odd x (i + 2)
def even [n] (x: [n]f64) (i: i64) : f64 =
  if i == n then 1
  else x[i] * (if i % 2 == 0 then odd x (i + 1) else 2) + 0.1 * even x (i + 1)

-- The result is used for more than the adjoint.
def used [n] (x: [n]f64) (i: i64) : f64 =
  if i == n then 1
  else let r = used x (i + 1)
       let s = f64.sum (map (* r) x)
       in r * 0.1 + s * x[i]

entry main (n: i64) =
  let x = tabulate (n * n) (\i -> f64.sin (1.3 * f64.i64 i + 0.4))
  let det x = minor (unflatten (x :> [n * n]f64)) 0 0
  let second f = agree f x && agree_second f x
  in [second det,
      second (\x -> chain x 0),
      second (\x -> wave x 0),
      second (\x -> tree x 0),
      agree (\x -> decide x 0) x,
      agree (\x -> product x 4) x,
      second (\x -> even x 0),
      agree (\x -> used x 0) x]
