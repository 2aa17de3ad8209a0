-- While loops whose tapes grow: no iterations, one, many; the bound that is given may be too
-- small, or large.
-- ==
-- entry: scalars
-- input { } output { [true, true, true, true, true, true] }

-- ==
-- entry: arrays
-- input { } output { [true, true, true, true, true] }

-- ==
-- entry: nested
-- input { } output { [true, true, true] }
import "lib/agree"

def decay [n] (x: [n]f64) =
  loop y = x[0] while f64.abs y > 0.01 do y * 0.999 - 0.0001 * f64.sin y
def decay_small [n] (x: [n]f64) =
  #[bound(3)] loop y = x[0] while f64.abs y > 0.01 do y * 0.999 - 0.0001 * f64.sin y
def decay_large [n] (x: [n]f64) =
  #[bound(100000)] loop y = x[0] while f64.abs y > 0.01 do y * 0.999 - 0.0001 * f64.sin y
-- The condition is a small part of the body.
def counter [n] (x: [n]f64) =
  (loop (i, y) = (0i64, x[0]) while i < 40 do
     (i + 1, f64.sin (y * x[0]) + f64.cos (y + x[1]) * f64.exp (-y) + y ** 2 * 0.01)).1
def once [n] (x: [n]f64) = (loop (go, y) = (true, x[0]) while go do (false, y * y * x[1])).1

entry scalars =
  [ agree decay [2.5], agree decay [0.001]
  , vjp decay [2.5] 1 == vjp decay_small [2.5] 1 && vjp decay [2.5] 1 == vjp decay_large [2.5] 1
  , agree counter [0.3, 0.4], agree once [0.3, 0.4]
  , agree_second decay [0.05] ]

def halve [n] (x: [n]f64) =
  loop v = map (* 1000) x while f64.sum (map f64.abs v) > 1 do
    map (\a -> a * 0.9 + 0.001 * f64.sin a) v
-- An array updated in place, at places that depend on the data.
def places [n] (x: [n]f64) =
  (loop (i, a) = (0i64, copy x) while i < 50 && f64.abs a[0] < 1e6 do
     let k = (i * 7 + i64.bool (a[i % n] > 0.2)) % n
     in (i + 1, a with [k] = a[k] * 0.9 + a[i % n] * 0.2)).1
def under_if [n] (x: [n]f64) =
  (loop (i, a) = (0i64, copy x) while f64.sum (map f64.abs a) > 0.5 do
     (i + 1, if a[i % n] > 0 then a with [i % n] = a[i % n] * a[(i + 1) % n] * 0.5
             else let a[(i + 2) % n] = a[i % n] * 0.25
                  in a with [i % n] = 0.1 * a[(i + 1) % n])).1

entry arrays =
  [ agree_vector halve [0.3, 0.8, -0.2], agree_vector places [0.3, 0.81, -0.23, 0.47]
  , agree_vector under_if [0.31, 0.8, -0.2], agree_vector under_if [0.1, 0.1, 0.1]
  , agree_second (\x -> f64.sum (halve x)) [0.3, 0.8, -0.2] ]

-- While in for, while in while, while in map.
def collatz [n] (x: [n]f64) =
  loop s = 0 for i < n do
    s + (loop y = x[i] while y > 1.5 do y * 0.7 + 0.01 * x[(i + 1) % n])
def inner [n] (x: [n]f64) =
  loop y = x[0] while y > 0.2 do
    let z = loop z = y while z > 0.5 do z * 0.8 * x[1]
    in y * 0.5 + z * 0.1
def each [n] (x: [n]f64) =
  map (\v -> loop y = v while f64.abs y > 0.3 do y * 0.9 * f64.cos (x[0] * 0.1)) x

entry nested =
  [agree collatz [5.3, 12.1, 40.7], agree inner [7.3, 0.9], agree_vector each [2.3, 10.8, -30.2]]

-- Arrays that threads have elements of, in a loop that carries one of another size each time.
-- ==
-- entry: large
-- input { } output { true }
entry large = agree_second (\x -> f64.sum (halve x)) (map (\i -> 0.1 + f64.i64 i / 20) (iota 17))
