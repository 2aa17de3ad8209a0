-- The return sweeps of many cotangents each have their own copy of an array that a branch updates
-- in place, by whatever name it does so.
-- ==
-- input { [1.5, 0.25, 2.0] } output { true }
-- input { [1.5, 0.25] } output { true }
-- input { [1.5, 0.25, 2.0, 0.5, 3.0, 0.125] } output { true }

def f [n] (x: [n]f64) : [n]f64 =
  let a = map (\v -> v * v) x
  in if n > 2
     then let t = copy a[::-2]
          in loop a for k < length t do a with [k] = t[k] * a[k]
     else a with [0] = a[0] * a[n - 1]

def main [n] (x: [n]f64) : bool =
  let units = tabulate_2d n n (\i j -> f64.bool (i == j))
  let same = map2 (\a b -> and (map2 (==) a b))
  in and (same (mjp f x units) (map (vjp f x) units))
     && and (same (mjp f x units) (transpose (jmp f x units)))
