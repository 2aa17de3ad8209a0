-- A custom derivative is used in reverse mode only, wherever it stands.
-- ==
-- input { } output { [true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def odd = with_vjp (\(x: f64) -> x * x) (\_ a -> 100 * a)

entry main =
  [vjp odd 3 1 == 100,
   jvp odd 3 1 == 6,
   vjp (\x -> f64.sum (map odd x)) [1, 2] 1 == [100, 100],
   vjp (\x -> loop s = x for _i < 2i32 do odd s) 3 1 == 10000,
   vjp (\x -> if x > 0 then odd x else x) 3 1 == 100,
   vjp (\x -> reduce (+) 0 (map odd x)) [3] 2 == [200],
   jvp (\x -> vjp odd x 1) 3 1 == 0]
