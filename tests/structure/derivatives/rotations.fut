-- What reads its neighbours around the ends is differentiated by reading them: rotations by one, by
-- what is known when it runs only, of rows and of columns; and where there is something to add to.
-- structure soac: withacc 6
-- structure soac,gather_sums,simplify: withacc 0
-- structure soac,gather_kernel_sums,simplify: withacc 0
-- ==
-- entry: ring
-- input { [1f64] } output { [0f64] }
-- input { [1f64, 2f64] } output { [-8f64, 8f64] }
-- input { [1f64, 2f64, 4f64, 8f64, 5f64] } output { [-10f64, 5f64, -10f64, 15f64, 0f64] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry ring [n] (xs: [n]f64) : [n]f64 =
  let second xs = map3 (\a b c -> a - 2 * b + c) (rotate (-1) xs) xs (rotate 1 xs)
  in vjp (\xs -> f64.sum (map (\x -> x * x / 2) (second xs))) xs 1

-- ==
-- entry: around
-- input { 1i64 [1f64, 2f64, 4f64] [1f64, 10f64, 100f64] } output { [100f64, 1f64, 10f64] }
-- input { 4i64 [1f64, 2f64, 4f64] [1f64, 10f64, 100f64] } output { [100f64, 1f64, 10f64] }
-- input { -1i64 [1f64, 2f64, 4f64] [1f64, 10f64, 100f64] } output { [10f64, 100f64, 1f64] }
-- input { 5i64 [1f64] [3f64] } output { [3f64] }
-- input { 5i64 empty([0]f64) empty([0]f64) } output { empty([0]f64) }
entry around [n] (k: i64) (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  vjp (\xs -> f64.sum (map2 (*) (rotate k xs) ys)) xs 1

-- ==
-- entry: both
-- input { 1i64 2i64 [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] }
-- output { [[5f64, 6f64, 4f64], [2f64, 3f64, 1f64]] }
entry both [n][m] (k: i64) (l: i64) (xs: [n][m]f64) : [n][m]f64 =
  vjp (\xs -> f64.sum (map2 (\a b -> f64.sum (map2 (*) a b))
                            (rotate k (map (rotate l) xs))
                            (tabulate_2d n m (\i j -> f64.i64 (i * m + j + 1)))))
      xs 1

-- ==
-- entry: torus
-- input { [[1f64, 2f64], [4f64, 8f64]] } output { [[7f64, 13f64], [-5f64, -11f64]] }
entry torus [n][m] (u: [n][m]f64) : [n][m]f64 =
  let at (u: [n][m]f64) i j = u[i % n, j % m]
  in vjp (\u -> f64.sum (flatten (tabulate_2d n m (\i j ->
              at u (i + 1) j * u[i, j] + at u i (j + m - 1) - u[i, j] * u[i, j])))) u 1
