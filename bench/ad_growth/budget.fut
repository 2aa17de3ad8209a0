-- A long loop whose gradient is taken under memory budgets, and one that updates its array in place.
def long [k] (n: i64) (x: [k]f64) : f64 =
  f64.sum (loop s = x for i < n do map2 (\a j -> f64.cbrt (a + x[(j + i) % k] * 0.5)) s (iota k))
def places [k] (n: i64) (x: [k]f64) : f64 =
  f64.sum (loop a = copy x for i < n do
    a with [i % k] = f64.cbrt (a[i % k] * a[(i * 7 + 1) % k] + x[i % k]))
entry long_g [k] (n: i64) (x: [k]f64) = vjp (long n) x 1
entry places_g [k] (n: i64) (x: [k]f64) = vjp (places n) x 1
