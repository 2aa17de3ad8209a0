-- Reductions whose operators give one of their operands, whole: what decides may be any of the components.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def xs : []f64 = [0.7, -1.3, 2.1, 0.4, -0.6, 1.75]

-- The nearest of hits, computed from what each is of, with parameters that all share.
def nearest [n] (x: [n]f64) =
  let hits = map2 (\i v -> if v < 0 then (v * v + 0.2, f64.sin v, i) else (v + 0.1 * v * x[0], v * v, -i)) (iota n) x
  let (t, shade, i) = reduce (\a b -> if b.0 < a.0 then b else a) (1e9, 0, -1) hits
  in t * shade + f64.i64 i

-- Decided by a number that counts nothing, as a branch of branches.
def by_rank [n] (x: [n]f64) =
  let (v, w, _) =
    reduce (\(a, p, i) (b, q, j) ->
              if i == j then (a, p, i)
              else if (i * 7) % 5 < (j * 7) % 5 then (a, p, i) else (b, q, j))
           (0, 0, 4) (zip3 x (map f64.exp x) (map (+ 1) (iota n)))
  in v * w

-- All elements are the neutral one, or some are.
def all_neutral [n] (x: [n]f64) = reduce (\a b -> if b > a then b else a) 0 (map (\v -> 0 * v) x) + f64.sum x
def some_neutral [n] (x: [n]f64) = reduce (\a b -> if b > a then b else a) 0 (map (f64.max 0) x) + f64.sum x

-- The last of equal ones, and rows.
def last_row [n] (x: [n]f64) =
  let rows = map (\v -> [v, v * v, f64.cos v]) x
  let (r, _) = reduce (\(a, i) (b, j) -> if i <= j then (b, j) else (a, i)) ([0, 0, 0], -1)
                      (zip rows (map (\i -> i / 2) (iota n)))
  in r[0] * r[1] + r[2]

-- Only one component is chosen, the other one is computed.
def counted [n] (x: [n]f64) =
  let (v, _) = reduce (\(a, c) (b, d) -> (if d > 0 then b else a, c + d)) (0, 0) (zip x (map (\i -> i % 2) (iota n)))
  in v * v

-- For each row of a matrix, whose adjoint is a sum over the rows.
def each [n] (x: [n]f64) =
  f64.sum (map (\k -> let (d, w) = reduce (\a b -> if a.0 <= b.0 then a else b) (f64.inf, 0)
                                          (map (\v -> ((v - f64.i64 k) ** 2, v * x[1])) x)
                      in d * w) (iota 4))

-- An empty one gives the neutral element.
def empty [n] (x: [n]f64) =
  let (a, b) = reduce (\a b -> if a.0 < b.0 then a else b) (x[0], x[1]) (map (\v -> (v, v)) (take 0 x))
  in a * b

entry main =
  [check_scalar nearest xs, check_scalar by_rank xs, check_scalar all_neutral xs, check_scalar some_neutral xs,
   check_scalar last_row xs, check_scalar counted xs, check_scalar each xs, check_scalar empty xs]
