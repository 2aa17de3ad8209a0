-- Derivatives through accumulators, in both modes, of sums and of anything else.
-- ==
-- entry: sums
-- input { [1.0, 2.0] [3.0, 4.0, 5.0] } output { [1.0, 2.0] [6.0, 16.0, 10.0] [6.0, 16.0, 10.0] }

-- ==
-- entry: products
-- input { [1.0, 2.0] [3.0, 4.0, 5.0] } output { [15.0, 4.0] [5.0, 2.0, 3.0] [5.0, 2.0, 3.0] }

-- ==
-- entry: replaced
-- input { [1.0, 2.0, 3.0] [3.0, 4.0] } output { [0.0, 5.0, 0.0] [6.0, 8.0] [6.0, 8.0] }

-- ==
-- entry: loops
-- input { [0.5, 2.0] } output { [3.0, 12.0] [3.0, 12.0] }

-- ==
-- entry: branches
-- input { [0.5, -2.0, 3.0] } output { [0.0, -12.0, 6.0] [0.0, -12.0, 6.0] }

-- ==
-- entry: second
-- input { [1.0, 2.0, 3.0] } output { [[6.0, 0.0, 2.0], [0.0, 12.0, 0.0], [2.0, 0.0, 18.0]] [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]] }

-- ==
-- entry: vectors
-- input { [1.0, 2.0, 3.0] } output { [4.0, 8.0, 12.0] [4.0, 8.0, 12.0] }

-- ==
-- entry: shared
-- input { [1.0, 2.0, 3.0] } output { [[3.0, 2.0], [3.0, 2.0]] [3.0, 1.0, 1.0] }

-- ==
-- entry: inner
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[2.0, 1.0], [4.0, 3.0]] [[2.0, 4.0], [6.0, 8.0]] }

-- ==
-- entry: through_function
-- input { [1.0, 2.0, 3.0] } output { [6.0, 3.0, 2.0] [6.0, 3.0, 2.0] }

def write = intrinsics.acc_write

def grad [n] (f: [n]f64 -> f64) (x: [n]f64) = vjp f x 1

def forward [n] (f: [n]f64 -> f64) (x: [n]f64) =
  map (\i -> jvp f x (map (\j -> f64.bool (i == j)) (iota n))) (iota n)

def hessian [n] (f: [n]f64 -> f64) (x: [n]f64) =
  map (\i -> jvp (grad f) x (map (\j -> f64.bool (i == j)) (iota n))) (iota n)

def sum_squares (d: [2]f64) (xs: [3]f64) =
  let r = intrinsics.hist_stream (copy d) (+) 0 (\acc (i, x) -> write acc (i % 2) (x * x))
                                 (zip (iota 3) xs)
  in r[0] + 2 * r[1]

entry sums (d: [2]f64) (xs: [3]f64) =
  (grad (\d -> sum_squares d xs) d, grad (sum_squares d) xs, forward (sum_squares d) xs)

-- index 7 is outside
def both_products (d: [2]f64) (xs: [3]f64) =
  let r = intrinsics.hist_stream (copy d) (*) 1
                                 (\acc (i, x) -> write (write acc (i % 2) x) 7 x)
                                 (zip (iota 3) xs)
  in r[0] + r[1]

entry products (d: [2]f64) (xs: [3]f64) =
  (grad (\d -> both_products d xs) d, grad (both_products d) xs, forward (both_products d) xs)

def writes (d: [3]f64) (xs: [2]f64) =
  let r = intrinsics.scatter_stream (copy d) (\acc (i, x) -> write acc (i * 2) (x * x))
                                    (zip (iota 2) xs)
  in r[0] + 5 * r[1] + r[2]

entry replaced (d: [3]f64) (xs: [2]f64) =
  (grad (\d -> writes d xs) d, grad (writes d) xs, forward (writes d) xs)

entry loops (xs: [2]f64) =
  let f (xs: [2]f64) =
    f64.sum (intrinsics.hist_stream (replicate 3 0) (+) 0
               (\acc x -> loop acc for i < 3 do write acc i (x * x))
               xs)
  in (grad f xs, forward f xs)

entry branches (xs: [3]f64) =
  let f (xs: [3]f64) =
    f64.sum (intrinsics.hist_stream [0, 0] f64.max 0
               (\acc x -> if x < 0 then write acc 0 (x * -12) else write acc 1 (x * x))
               xs)
  in (grad f xs, forward f xs)

entry second (xs: [3]f64) =
  let f (xs: [3]f64) =
    let r = intrinsics.hist_stream [0, 0] (+) 0
              (\acc (i, x) -> write acc (i % 2) (x ** 3 + (if i == 0 then 2 * x * xs[2] else 0)))
              (zip (iota 3) xs)
    in r[0] + r[1]
  let g (xs: [3]f64) =
    let r = intrinsics.hist_stream [1, 1] (*) 1 (\acc (i, x) -> write acc (i % 2) x)
                                   (zip (iota 3) xs)
    in r[0] + r[1]
  in (hessian f xs, hessian g xs)

entry vectors (xs: [3]f64) =
  let f (xs: [3]f64) =
    let r = intrinsics.hist_stream [[0, 0], [0, 0]] (map2 (+)) [0, 0]
              (\acc (i, x) -> write acc (i % 2) [x * x, x * x])
              (zip (iota 3) xs)
    in f64.sum (map f64.sum r)
  in (grad f xs, forward f xs)

-- one function, with and without derivatives
#[noinline]
def last [n] (xs: [n]f64) : [2]f64 =
  intrinsics.scatter_stream [0, 0] (\acc (i, x) -> write acc (i % 2) (if i < 1 then 3 * xs[0] else x))
                            (zip (iota 2) (take 2 xs))

entry shared (xs: [3]f64) =
  let before = last xs
  let d = grad (\xs -> f64.sum (last xs) + xs[2]) xs
  in ([before, last xs], d)

-- in a map
entry inner (xss: [2][2]f64) =
  let f op ne (xss: [2][2]f64) =
    f64.sum (map (\xs -> (intrinsics.hist_stream [ne] op ne (\acc x -> write acc 0 x) xs)[0]) xss)
  in (vjp (f (*) 1) xss 1, vjp (\x -> f (+) 0 (map (map (\v -> v * v)) x)) xss 1)

-- a function that is not evaluated in place elsewhere
#[noinline]
def put [n] (acc: *intrinsics.acc ([n]f64)) (x: f64) : *intrinsics.acc ([n]f64) = write acc 0 x

entry through_function (xs: [3]f64) =
  let f (xs: [3]f64) = (intrinsics.hist_stream [1] (*) 1 put xs)[0]
  in (grad f xs, forward f xs)
