-- Checks with few derivatives, so that programs under test may be large: along one direction, both
-- modes and central differences agree.
def close (tol: f64) (a: f64) (b: f64) : bool =
  a == b || f64.abs (a - b) <= tol * (1 + f64.abs a + f64.abs b)

def direction (n: i64) : [n]f64 = tabulate n (\i -> f64.sin (1.7 * f64.i64 i + 0.3) + 0.1)
def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)
def along [n] (h: f64) (x: [n]f64) : [n]f64 = map2 (\v a -> a + h * v) (direction n) x

-- A function to a number.  Its value is the same in both modes, but for the rounding of what a device or
-- a C compiler adds up in another order, or with products of which it rounds only the sum.
def agree [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let (y, d) = jvp2 f x (direction n)
  let (z, g) = vjp2 f x 1
  let h = 1e-5
  in close 1e-14 y z && close 1e-9 d (dot g (direction n))
     && close 2e-5 d ((f (along h x) - f (along (-h) x)) / (2 * h))

-- A function to a vector.
def agree_vector [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : bool =
  agree (\x -> dot (direction m) (f x)) x

-- Second derivatives: forward over reverse and reverse over reverse.
def agree_second [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let gradient x = vjp f x 1
  let a = jvp gradient x (direction n)
  let b = vjp (\x -> dot (direction n) (gradient x)) x 1
  let h = 1e-5
  let c = map2 (\p q -> (p - q) / (2 * h)) (gradient (along h x)) (gradient (along (-h) x))
  in and (map2 (close 1e-9) a b) && and (map2 (close 1e-4) a c)
