-- A minimiser that uses gradient and Hessian, itself differentiated.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f (a: f64) (x: f64) = (x - a) ** 4 + x * x * a
def step (a: f64) (x: f64) = x - jvp (f a) x 1 / jvp (\y -> vjp (f a) y 1) x 1
def minimum (a: f64) = loop x = a for _i < 6i32 do step a x

entry main =
  [check_number minimum 0.7,
   check_number minimum 1.9]
