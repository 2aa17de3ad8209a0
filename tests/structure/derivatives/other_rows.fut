-- Pairs of different rows: the branch that leaves out a row with itself is no obstacle, and what both rows of a pair are
-- given are sums.
-- structure soac: upd_acc 0, withacc 0
-- ==
-- input { [[1f64, 2f64], [0f64, -1f64], [0.5f64, 0f64]] }
-- output { [[-0.15072664359861593f64, -0.5629065743944637f64], [1.3200000000000003f64, 2.6800000000000006f64], [-1.1692733564013844f64, -2.117093425605537f64]] }
-- input { empty([0][2]f64) } output { empty([0][2]f64) }
-- input { [[1f64, f64.inf]] } output { [[0f64, 0f64]] }
def f [n][d] (x: [n][d]f64) : f64 =
  let one i p =
    f64.sum (map2 (\j r -> if i == j then 0 else 1 / f64.sum (map2 (\a b -> (a - b) ** 2) p r)) (iota n) x)
  in f64.sum (map2 one (iota n) x)

entry main [n][d] (x: [n][d]f64) : [n][d]f64 = vjp f x 1
