-- Functions whose gradients must cost a constant multiple of the function, however large the input.
-- Each has its gradient beside it; k is the length of a row or the number of sweeps.

-- A recurrence in place.
def dp [n] (x: [n]f64) (_k: i64) : f64 =
  f64.sum (loop a = copy x for i in 1..<n do a with [i] = f64.sin (a[i] + 0.5 * a[i - 1]))

-- Sweeps over a grid in place, each cell from its neighbours.
def seidel [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop u = replicate n 0 for _s < k do
    loop u for i in 1..<n - 1 do u with [i] = (x[i] + u[i - 1] + u[i + 1]) / (3 + u[i] * u[i]))

-- Elimination in place; n is the square of the order.
def lu [n] (x: [n]f64) (k: i64) : f64 =
  let a = unflatten (x :> [k * k]f64)
  let a = loop a = copy a for p < k do
    loop a for i in p + 1..<k do
      let f = a[i, p] / a[p, p]
      let a[i, p] = f
      in loop a for j in p + 1..<k do a with [i, j] = a[i, j] - f * a[p, j]
  in f64.sum (tabulate k (\i -> a[i, i]))

-- Inner loops whose length differs from one iteration to the next.
def uneven [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop a = copy x for i in 1..<n do
    loop a for j < i % k do a with [i] = a[i] * 0.5 + f64.sin a[i - 1 - j % i])

-- Nested maps that read a free array at few places.
def few [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (tabulate n (\i -> f64.sum (tabulate k (\j -> f64.sin x[(i + 7 * j) % n]))))

-- The same where a loop chooses the places.
def chase [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (map (\v -> (loop (s, j) = (v, i64.f64 (v * 100)) for _i < k do
    (s + x[j % n] * 0.5, (j * 5 + 1) % n)).0) x)

-- A while loop over all elements.  The factor is such that the adjoint, its powers, stays normal: numbers below that
-- take processors of Intel a hundred times as long.
def until [n] (x: [n]f64) (_k: i64) : f64 =
  (loop (s, i) = (0, 0) while i < n && s < 1e9 do (0.9999 * s + x[i] * x[i], i + 1)).0

-- Few elements scattered into a large array, many times.
def scattered [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop a = copy x for i < n / k do
    let is = tabulate k (\j -> (i * 31 + j) % n)
    in scatter a is (map (\j -> f64.cos (x[j] * a[i])) is))

-- Many bins, with sums and with products.
def bins [n] (x: [n]f64) (_k: i64) : f64 =
  let is = tabulate n (\i -> i * 7 % n)
  in f64.sum (map f64.sin (hist (+) 0 n is x)) + f64.sum (hist (*) 1 n (map (/ 2) is) x)

-- Few elements into many bins, many times.
def few_bins [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop h = replicate n 0 for i < n / k do
    let is = tabulate k (\j -> (i * 31 + j) % n)
    in reduce_by_index h (+) 0 is (tabulate k (\j -> x[i] * x[j])))

-- The same with products and extrema, whose rules look at what was there before.
def few_products [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop h = replicate n 1 for i < n / k do
    let is = tabulate k (\j -> (i * 31 + j) % n)
    in reduce_by_index h (*) 1 is (tabulate k (\j -> 1 + 0.1 * x[i] * x[j])))
def few_greatest [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop h = replicate n 0 for i < n / k do
    let is = tabulate k (\j -> (i * 31 + j) % n)
    in reduce_by_index h f64.max f64.lowest is (tabulate k (\j -> x[i] * x[j])))

-- An operator that cannot be undone; and one on pairs.
def any_bins [n] (x: [n]f64) (_k: i64) : f64 =
  let is = tabulate n (\i -> i * 7 % n / 2)
  in f64.sum (hist (\a b -> if f64.abs a < f64.abs b then b else a) 0 n is x)
def pair_bins [n] (x: [n]f64) (_k: i64) : f64 =
  let is = tabulate n (\i -> i * 7 % 1000)
  in f64.sum (map (\(a, b) -> a * b)
       (hist (\(a, b) (c, d) -> (a * c - b * d, a * d + b * c)) (1, 0) 1000 is
         (map (\v -> (f64.cos v, f64.sin v)) x)))

-- Rows updated in place, each from the one before.
def rows [n] (x: [n]f64) (k: i64) : f64 =
  let m = loop m = unflatten (copy x :> [(n / k) * k]f64) for i in 1..<n / k do
    m with [i] = map2 (\a b -> f64.tanh (a * b)) m[i - 1] m[i]
  in f64.sum (flatten m)

-- Loops in place inside of a map.
def mapped [n] (x: [n]f64) (k: i64) : f64 =
  let m = unflatten (x :> [(n / k) * k]f64)
  let row r = loop a = copy r for i in 1..<k do a with [i] = a[i] * a[i - 1] + r[0]
  in f64.sum (flatten (map row m))

-- Updates under a condition.
def conditional [n] (x: [n]f64) (_k: i64) : f64 =
  f64.sum (loop a = copy x for i in 1..<n do
    if a[i - 1] > 0.5 then a with [i] = a[i] * a[i - 1]
    else if i % 3 == 0 then a with [i - 1] = 0.2 else a)

-- A general scan and a general reduction.
def scanned [n] (x: [n]f64) (_k: i64) : f64 =
  let op (a, b) (c, d) = (a * c, b * c + d)
  let ys = scan op (1, 0) (map (\v -> (f64.cos v, v)) x)
  in f64.sum (map (\(a, b) -> a + b) ys) * (reduce op (1, 0) (zip (map f64.sin x) x)).1

-- A long loop over a short row, kept whole and kept in strips.
def long [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop s = take k x for i < n / k do
    map2 (\s j -> f64.sin (s + x[i * k + j])) s (iota k))
def strips [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (#[stripmine(2)] loop s = take k x for _i < n do
    map2 (\s j -> f64.sin (s + x[j])) s (iota k))

-- Two arrays that take turns.
def turns [n] (x: [n]f64) (k: i64) : f64 =
  let (a, _) = loop (a, b) = (copy x, replicate n 0) for _i < k do
    let b = loop b for i in 1..<n do b with [i] = a[i] + 0.3 * a[i - 1] * b[i]
    in (b, a)
  in f64.sum a

-- Sums over windows: slices read in a loop.
def windows [n] (x: [n]f64) (k: i64) : f64 =
  loop s = 0 for i < n - k do s + f64.sum (map (* s) x[i:i + k]) * 1e-3 + x[i]

-- A Hessian times a vector is a gradient too.
def product [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (jvp (\y -> vjp (\z -> dp z k) y 1) x (map (+ 1) x))

entry dp_p [n] (x: [n]f64) (k: i64) = dp x k
entry dp_g [n] (x: [n]f64) (k: i64) = vjp (\y -> dp y k) x 1
entry seidel_p [n] (x: [n]f64) (k: i64) = seidel x k
entry seidel_g [n] (x: [n]f64) (k: i64) = vjp (\y -> seidel y k) x 1
entry lu_p [n] (x: [n]f64) (k: i64) = lu x k
entry lu_g [n] (x: [n]f64) (k: i64) = vjp (\y -> lu y k) x 1
entry uneven_p [n] (x: [n]f64) (k: i64) = uneven x k
entry uneven_g [n] (x: [n]f64) (k: i64) = vjp (\y -> uneven y k) x 1
entry few_p [n] (x: [n]f64) (k: i64) = few x k
entry few_g [n] (x: [n]f64) (k: i64) = vjp (\y -> few y k) x 1
entry chase_p [n] (x: [n]f64) (k: i64) = chase x k
entry chase_g [n] (x: [n]f64) (k: i64) = vjp (\y -> chase y k) x 1
entry until_p [n] (x: [n]f64) (k: i64) = until x k
entry until_g [n] (x: [n]f64) (k: i64) = vjp (\y -> until y k) x 1
entry scattered_p [n] (x: [n]f64) (k: i64) = scattered x k
entry scattered_g [n] (x: [n]f64) (k: i64) = vjp (\y -> scattered y k) x 1
entry bins_p [n] (x: [n]f64) (k: i64) = bins x k
entry bins_g [n] (x: [n]f64) (k: i64) = vjp (\y -> bins y k) x 1
entry few_bins_p [n] (x: [n]f64) (k: i64) = few_bins x k
entry few_bins_g [n] (x: [n]f64) (k: i64) = vjp (\y -> few_bins y k) x 1
entry few_products_p [n] (x: [n]f64) (k: i64) = few_products x k
entry few_products_g [n] (x: [n]f64) (k: i64) = vjp (\y -> few_products y k) x 1
entry few_greatest_p [n] (x: [n]f64) (k: i64) = few_greatest x k
entry few_greatest_g [n] (x: [n]f64) (k: i64) = vjp (\y -> few_greatest y k) x 1
entry any_bins_p [n] (x: [n]f64) (k: i64) = any_bins x k
entry any_bins_g [n] (x: [n]f64) (k: i64) = vjp (\y -> any_bins y k) x 1
entry pair_bins_p [n] (x: [n]f64) (k: i64) = pair_bins x k
entry pair_bins_g [n] (x: [n]f64) (k: i64) = vjp (\y -> pair_bins y k) x 1
entry rows_p [n] (x: [n]f64) (k: i64) = rows x k
entry rows_g [n] (x: [n]f64) (k: i64) = vjp (\y -> rows y k) x 1
entry mapped_p [n] (x: [n]f64) (k: i64) = mapped x k
entry mapped_g [n] (x: [n]f64) (k: i64) = vjp (\y -> mapped y k) x 1
entry conditional_p [n] (x: [n]f64) (k: i64) = conditional x k
entry conditional_g [n] (x: [n]f64) (k: i64) = vjp (\y -> conditional y k) x 1
entry scanned_p [n] (x: [n]f64) (k: i64) = scanned x k
entry scanned_g [n] (x: [n]f64) (k: i64) = vjp (\y -> scanned y k) x 1
entry long_p [n] (x: [n]f64) (k: i64) = long x k
entry long_g [n] (x: [n]f64) (k: i64) = vjp (\y -> long y k) x 1
entry strips_p [n] (x: [n]f64) (k: i64) = strips x k
entry strips_g [n] (x: [n]f64) (k: i64) = vjp (\y -> strips y k) x 1
entry turns_p [n] (x: [n]f64) (k: i64) = turns x k
entry turns_g [n] (x: [n]f64) (k: i64) = vjp (\y -> turns y k) x 1
entry windows_p [n] (x: [n]f64) (k: i64) = windows x k
entry windows_g [n] (x: [n]f64) (k: i64) = vjp (\y -> windows y k) x 1
entry product_p [n] (x: [n]f64) (k: i64) = product x k
entry product_g [n] (x: [n]f64) (k: i64) = vjp (\y -> product y k) x 1
