-- The result of a reduction is new, also where it is its neutral element, or a derivative.
-- ==
-- entry: main
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [4i64, 6i64] }
-- input { empty([0][2]i64) } output { [0i64, 0i64] }

-- ==
-- entry: consumed
-- input { empty([0][2]i64) } output { [7i64, 0i64] [0i64, 0i64] [0i64, 0i64] }

-- ==
-- entry: commutative
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [4i64, 6i64] }

-- ==
-- entry: gradient
-- input { [1f64, 2f64] } output { 5f64 [0f64, 4f64] [1f64, 2f64] }

def none : [2]i64 = [0, 0]

entry main (xss: [][2]i64) = reduce (map2 (+)) none xss

#[noinline]
def total (xss: [][2]i64) = reduce (map2 (+)) none xss

entry consumed (xss: [][2]i64) =
  let a = total xss
  let a[0] = 7
  in (a, total xss, copy none)

entry commutative (xss: [][2]i64) = xss |> reduce_comm (map2 (+)) none

entry gradient [n] (x: [n]f64) =
  let (y, g) = vjp2 (\x -> f64.sum (map2 (*) x x)) x 1
  let g[0] = 0
  in (y, g, x)
