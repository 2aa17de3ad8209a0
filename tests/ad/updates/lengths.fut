-- Inner loops whose length differs from one iteration to the next.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def uneven [n] (x: [n]f64) =
  loop a = copy x for i in 1..<n do loop a for j < i % 3 do a with [i] = a[i] * 0.5 + f64.sin a[i - 1 - j % i]
def triangle [n] (x: [n]f64) =
  loop a = copy x for i < n do loop a for j < i do a with [i] = a[i] - 0.3 * a[j] * x[j]
def dependent [n] (x: [n]f64) =
  loop a = copy x for i < n do
    loop a for _j < i64.f64 (f64.abs (a[i] * 3)) do a with [i] = a[i] * 0.9 + a[0] * 0.1

entry main =
  [check uneven [0.7, -1.3, 2.1, 0.4, -0.6],
   check triangle [0.7, -1.3, 2.1, 0.4, -0.6],
   check dependent [0.7, -1.3, 2.1, 0.4, -0.6],
   check_hessian (\x -> f64.sum (triangle x)) [0.7, -1.3, 2.1]]
