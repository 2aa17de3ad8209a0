-- Maps over flat ranges that take their index apart by divisions; adjoints of what quotients and
-- remainders choose are sums over nests.
-- ==
-- input { 1i64 } output { [true, true, true, true, true, true, true, true, true] }
import "lib/fd"

-- A convolution as one map over all outputs.
def flat (b: i64) (o: i64) (h: i64) (w: i64) (x: [b][2][h][w]f64) (k: [o][2][3]f64) : f64 =
  let one p =
    let (q, j) = (p / w, p % w)
    let (q, i) = (q / h, q % h)
    let (n, f) = (q / o, q % o)
    in loop s = 0 for c < 2 do
         loop s for d < 3 do
           let z = j + d - 1
           in if z < 0 || z >= w then s else s + k[f, c, d] * x[n, c, i, z]
  in f64.sum (map (\p -> f64.sin (one p)) (iota (b * o * h * w)))

def flat_of [n] (b: i64) (o: i64) (h: i64) (w: i64) (p: [n]f64) : f64 =
  let m = b * 2 * h * w
  in flat b o h w (unflatten_4d (sized (b * 2 * h * w) p[:m])) (unflatten_3d (sized (o * 2 * 3) p[m:m + o * 6]))

-- Heads of a length that need not divide the number of columns.
def heads (d: i64) (v: []f64) (a: []f64) : f64 =
  let one c = a[c / d] * v[c] ** 2
  in f64.sum (map one (indices v))

-- The same by remainders, and by both.
def periods (d: i64) (v: []f64) (a: []f64) : f64 =
  f64.sum (map (\c -> f64.sin (a[c % d] * v[c])) (indices v))

def both (d: i64) (v: []f64) (a: []f64) : f64 =
  f64.sum (map (\c -> f64.exp (a[c % d] * v[c]) * a[c / d]) (indices v))

-- With negative divisors, quotients are negative, and so are remainders.
def backwards (v: []f64) (a: []f64) (d: i64) : f64 =
  f64.sum (map (\c -> a[2 - c / d] * v[c] + a[-(c % d)]) (indices v))

-- Rows that are shared by quotients inside of other maps.
def rows [n] (d: i64) (v: [n]f64) (a: [6]f64) : f64 =
  f64.sum (map (\i -> f64.sin (f64.sum (map (\c -> a[c / d] * v[c] / a[i + c / d]) (iota n)))) (iota 3))

def at [n] (k: i64) (f: []f64 -> []f64 -> f64) (p: [n]f64) : f64 = f p[:k] p[k:]
def some n = map (\i -> 1.2 + f64.sin (1.3 * f64.i64 i)) (iota n)

entry main (one: i64) =
  [ check_scalar (flat_of 2 2 (2 * one) 3) (some 36), check_scalar (flat_of one 3 1 one) (some 20)
  , check_scalar (at 6 (heads (2 * one))) (some 9), check_scalar (at 7 (heads (3 * one))) (some 10)
  , check_scalar (at 7 (periods (3 * one))) (some 10), check_scalar (at 7 (both 3)) (some 10)
  , check_scalar (at 5 (\v a -> backwards v a (-2 * one))) (some 10)
  , check_scalar (at 2 (heads (5 * one))) (some 3)
  , check_scalar (at 7 (\v a -> rows (2 * one) v (sized 6 a))) (some 13) ]
