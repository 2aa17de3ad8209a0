-- Gradients under a memory budget, see budget.sh: a long loop, one in place, loops in loops, in a map,
-- one after the other, over numbers, and a while loop.
def row (k: i64) : [k]f64 = tabulate k (\i -> f64.sin (f64.i64 i * 0.7 + 0.2))
def step [k] (x: [k]f64) (s: [k]f64) (i: i64) : [k]f64 =
  map2 (\a j -> f64.sin (a + x[(j + i) % k] * 0.5)) s (iota k)

def long [k] (n: i64) (x: [k]f64) = f64.sum (loop s = x for i < n do step x s i)
def in_place [k] (n: i64) (x: [k]f64) =
  f64.sum (loop a = copy x for i < n do
    a with [i % k] = f64.sin (a[i % k] * a[(i * 7 + 1) % k] + x[i % k]))
def nested [k] (n: i64) (x: [k]f64) =
  f64.sum (loop s = x for i < n / 40 do loop s for j < 40i64 do step x s (i + j))
def uneven [k] (n: i64) (x: [k]f64) =
  f64.sum (loop s = x for i < n / 40 do loop s for j < i % 80 do step x s j)
def mapped [k] (n: i64) (x: [k]f64) =
  f64.sum (map (\v -> f64.sum (loop s = map (* v) x for i < n / 4 do step x s i)) (take 4 x))
def two [k] (n: i64) (x: [k]f64) =
  let y = loop s = x for i < n / 2 do step x s i
  in f64.sum (loop s = map (* 2) y for i < n / 2 do step y s i)
def numbers [k] (n: i64) (x: [k]f64) =
  (loop (a, b) = (x[0], x[1]) for i < n * k do (f64.sin (a + b), 0.5 * b + x[i % k] * a)).0
def until [k] (n: i64) (x: [k]f64) =
  f64.sum (loop (s, i) = (x, 0i64) while i < n && s[0] < 1e6 do (step x s i, i + 1)).0

entry long_g (n: i64) (k: i64) = vjp (long n) (row k) 1
entry in_place_g (n: i64) (k: i64) = vjp (in_place n) (row k) 1
entry nested_g (n: i64) (k: i64) = vjp (nested n) (row k) 1
entry uneven_g (n: i64) (k: i64) = vjp (uneven n) (row k) 1
entry mapped_g (n: i64) (k: i64) = vjp (mapped n) (row k) 1
entry two_g (n: i64) (k: i64) = vjp (two n) (row k) 1
entry numbers_g (n: i64) (k: i64) = vjp (numbers n) (row k) 1
entry until_g (n: i64) (k: i64) = vjp (until n) (row k) 1
entry second_g (n: i64) (k: i64) = jvp (\x -> vjp (long n) x 1) (row k) (row k)

-- Inside, maps make arrays that are there beside the states of both loops.
def deep (n: i64) (k: i64) (x: [k]f64) : f64 =
  f64.sum (loop s = x for i < n do
    loop s for j < 100i64 do map2 (\a j -> f64.cbrt (a + x[(j + i) % k] * 0.5)) s (iota k))
entry deep_g (n: i64) (k: i64) = vjp (deep n k) (map (\i -> 0.1 + 0.001 * f64.i64 i) (iota k)) 1
