-- Derivatives of what is read around the ends: by rotations, by remainders and by choices, of vectors
-- of one, two and more elements, of rows and of columns, by what only the arguments say.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

def some (n: i64) : [n]f64 = map (\i -> f64.sin (2.3 * f64.i64 i + 0.4)) (iota n)

def ring [n] (x: [n]f64) : [n]f64 =
  map4 (\a b c d -> f64.exp (a * b) - c * d) (rotate (-1) x) x (rotate 1 x) (rotate 2 x)

def by [n] (k: i64) (x: [n]f64) : [n]f64 = map2 (\a b -> a * b * b) (rotate k x) x

def remainders [n] (x: [n]f64) : [n]f64 =
  tabulate n (\i -> x[(i + 1) % n] * x[(i - 1 + n) % n] + x[i] * x[i])

def chosen [n] (x: [n]f64) : [n]f64 =
  tabulate n (\i ->
                let right = if i + 1 < n then i + 1 else i + 1 - n
                let left = if i + (n - 1) < n then i + (n - 1) else i + (n - 1) - n
                in x[right] * x[left] - x[i])

-- The state of a loop around a torus.
def torus (n: i64) (m: i64) (x: [n * m]f64) : []f64 =
  let step (u: [n][m]f64) =
    let sides = map2 (map2 (+)) (map (rotate 1) u) (map (rotate (-1)) u)
    in map4 (map4 (\a b c d -> d + 0.1 * (a * b + c - 4 * d * d))) (rotate 1 u) (rotate (-1) u)
            sides u
  in flatten (loop u = unflatten x for _i < 3 do step u)

-- Rows are moved by as much as the first element says.
def sheared (n: i64) (m: i64) (x: [n * m]f64) : []f64 =
  let u = unflatten x
  in flatten (map (\r -> map2 (*) (rotate (i64.f64 (10 * r[0])) r) r) u)

entry main =
  [ check ring (some 1)
  , check ring (some 2)
  , check ring (some 7)
  , check (by 0) (some 4)
  , check (by 3) (some 5)
  , check (\x -> by 11 (by (-4) x)) (some 5)
  , check remainders (some 6)
  , check chosen (some 6)
  , check (torus 3 4) (some (3 * 4))
  , check (sheared 3 4) (some (3 * 4))
  ]
