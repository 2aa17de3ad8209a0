-- Derivatives of maps in branches that some rows take: maps in both branches, several in one of them.
-- ==
-- entry: gradient
-- input { 1i64 [[[1f64, 2f64], [3f64, 4f64]], [[5f64, 6f64], [7f64, 8f64]]] }
-- output { [[[1f64, 2f64], [3f64, 4f64]], [[5f64, 6f64], [7f64, 8f64]]] }
-- input { 0i64 [[[1f64, 2f64], [3f64, 4f64]], [[5f64, 6f64], [7f64, 8f64]]] }
-- output { [[[176f64, 74f64], [3f64, 4f64]], [[-65f64, -42f64], [7f64, 8f64]]] }
def step [n][b] (j: i64) (a: [n][n][b]f64) : [n][n][b]f64 =
  #[flattening(only_inner)]
  map (\i ->
         #[flattening(only_inner)]
         map (\k ->
                if i > j && k > j
                then map4 (\v u w p -> v - u * w / p) a[i, k] a[i, j] a[k, j] a[j, j]
                else a[i, k])
             (iota n))
      (iota n)

entry gradient [n][b] (j: i64) (a: [n][n][b]f64) : [n][n][b]f64 = vjp (step j) a a
