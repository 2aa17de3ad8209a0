-- The result comes first, the cotangent second; records and arrays as well.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f = with_vjp (\(x: f64) -> x + 1) (\res adj -> 10 * res + adj)
def g = with_vjp (\(r: {a: f64, b: [2]f64}) -> r.a * f64.sum r.b) (\y y' -> {a = y, b = [y', 2 * y']})

entry main =
  [vjp f 3 1 == 41,
   vjp g {a = 2, b = [1, 2]} 5 == {a = 6, b = [5, 10]}]
