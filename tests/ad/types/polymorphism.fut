-- Polymorphic and higher-order functions under derivatives.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def twice 'a (f: a -> a) (x: a) = f (f x)
def compose 'a 'b 'c (f: b -> c) (g: a -> b) (x: a) = f (g x)
def fold 'a 'b [n] (f: a -> b -> a) (z: a) (xs: [n]b) = loop a = z for x in xs do f a x
def f [n] (x: [n]f64) = twice (map (\v -> v * f64.sin x[0])) x
def g [n] (x: [n]f64) = compose f64.sum (twice (scan (+) 0)) x
def h [n] (x: [n]f64) = (fold (\(a, b) v -> (b, a * v + b)) (1, x[0]) x).1
def pipeline [n] (x: [n]f64) = x |> map (** 2) |> scan (+) 0 |> map f64.sqrt |> f64.sum

entry main =
  [check f [0.7, -1.3, 2.1],
   check_scalar g [0.7, -1.3, 2.1],
   check_scalar h [0.7, -1.3, 2.1],
   check_scalar pipeline [0.7, 1.3, 1.1]]
