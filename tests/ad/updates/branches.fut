-- Updates under if and match, one side or both.
-- ==
-- input { } output { [true, true, true, true, true] }
import "../fd/lib/fd"

def one [n] (x: [n]f64) = let a = copy x in if x[0] > 0 then a with [1] = x[0] ** 2 else a
def other [n] (x: [n]f64) = let a = copy x in if x[0] < 0 then a with [1] = x[0] ** 2 else a
def both [n] (x: [n]f64) = let a = copy x in if x[0] < 0 then a with [1] = 5 else a with [2] = x[0] * a[2]
def fresh [n] (x: [n]f64) = let a = copy x in if x[1] < 0 then map (* x[2]) a else a with [2] = x[0]
def inside [n] (x: [n]f64) =
  loop a = copy x for i < n do
    if a[i] > 0 then (if i % 2 == 0 then a with [i] = a[i] * x[1] else a) else a with [0] = a[0] + a[i] ** 2

entry main =
  [check one [0.7, -1.3, 2.1, 0.4, -0.6],
   check other [0.7, -1.3, 2.1, 0.4, -0.6],
   check both [0.7, -1.3, 2.1, 0.4, -0.6],
   check fresh [0.7, -1.3, 2.1, 0.4, -0.6],
   check inside [0.7, -1.3, 2.1, 0.4, -0.6]]
