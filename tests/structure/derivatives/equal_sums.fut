-- Both sweeps of a value and its gradient add up the same exponentials: once they are in one combinator, there is
-- one sum.
-- structure soac: prim 16
-- ==
-- entry: both
-- input { [[0f64, 0f64], [1f64, 2f64], [3f64, 1f64]] [[0.5f64, 0.5f64], [2f64, 1f64]] }
-- output { -3.010796827700729f64 [[-0.5911216999917808f64, 0.14767908674092556f64], [0.7029932916421258f64, 1.2229447771425228f64]] }

def soft [k] (x: [k]f64) = f64.log (f64.sum (map f64.exp x))

def loss [n][k][d] (xs: [n][d]f64) (cs: [k][d]f64) : f64 =
  f64.sum (map (\x -> soft (map (\c -> -f64.sum (map2 (\a b -> (a - b) * (a - b)) x c)) cs)) xs)

entry both [n][k][d] (xs: [n][d]f64) (cs: [k][d]f64) : (f64, [k][d]f64) = vjp2 (loss xs) cs 1
