-- Arrays that change their size from iteration to iteration.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def double [n] (x: [n]f64) = f64.sum (loop a : []f64 = x for i < 3i64 do a ++ map (* x[i % n]) a)
def halve [n] (x: [n]f64) =
  (loop a : []f64 = x ++ reverse x ++ x while length a > 1 do
    let h = length a / 2
    in map2 (\p q -> p * q + p) (take h a) (take h (drop h a)))[0]
def grow [n] (x: [n]f64) = f64.product (loop a : []f64 = [] for v in x do a ++ [v + f64.sum a])
def shrink [n] (x: [n]f64) = (loop a : []f64 = x for _i < n - 1 do map2 (*) (tail a) (init a))[0]

entry main =
  [check_scalar double [0.7, -1.3, 2.1],
   check_scalar grow [0.7, -1.3, 2.1],
   check_scalar halve [0.7, 1.3, 1.1],
   check_scalar shrink [0.7, 1.3, 1.1]]
