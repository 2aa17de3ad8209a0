-- Checks of derivatives inside a program.  A function under test takes a vector to a vector, so that
-- every Jacobian is a matrix: forward mode gives its columns, reverse mode its rows, and central
-- differences an approximation of both.

-- What is not a number is close to nothing, not even to a difference that is none either.
def close (tol: f64) (a: f64) (b: f64) : bool =
  a == b || f64.abs (a - b) <= tol * (1 + f64.abs a + f64.abs b)

def close_matrix [n][m] (tol: f64) (a: [n][m]f64) (b: [n][m]f64) : bool =
  and (map2 (\r s -> and (map2 (close tol) r s)) a b)

def unit (n: i64) (i: i64) : [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

def forward [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : [m][n]f64 =
  transpose (map (\i -> jvp f x (unit n i)) (iota n))

def reverse_mode [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : [m][n]f64 =
  map (\j -> vjp f x (unit m j)) (iota m)

def differences [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : [m][n]f64 =
  let h = 1e-5
  let column i =
    let at d = f (map2 (\e x -> x + d * e) (unit n i) x)
    in map2 (\p q -> (p - q) / (2 * h)) (at h) (at (-h))
  in transpose (map column (iota n))

-- Some direction of any length, without zeros or a pattern.
def direction (n: i64) : [n]f64 =
  map (\i -> f64.sin (1.7 * f64.i64 i + 0.3) + 0.1) (iota n)

def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)

-- w . (J v) = (w . J) . v
def transposed [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : bool =
  let v = direction n
  let w = direction m
  in close 1e-9 (dot w (jvp f x v)) (dot (vjp f x w) v)

-- All operators agree with each other and with differences, and the primal results with f.  The
-- compiler knows nothing of x, which is mostly a literal: loops over it are not unrolled.
def check [n][m] (f: [n]f64 -> [m]f64) (x: [n]f64) : bool =
  let x = opaque x
  let j = reverse_mode f x
  let units k = map (unit k) (iota k)
  let (y1, t) = jvp2 f x (direction n)
  let (y2, c) = vjp2 f x (direction m)
  let same [k] (a: [k]f64) (b: [k]f64) = and (map2 (close 1e-12) a b)
  in close_matrix 1e-9 j (forward f x)
     && close_matrix 2e-5 j (differences f x)
     && transposed f x
     && close_matrix 1e-12 j (mjp f x (units m))
     && close_matrix 1e-12 (transpose (forward f x)) (jmp f x (units n))
     && same y1 (f x) && same y2 (f x)
     && same t (jvp f x (direction n)) && same c (vjp f x (direction m))

-- The same for functions to a number, from a number, and between numbers.
def check_scalar [n] (f: [n]f64 -> f64) (x: [n]f64) : bool = check (\x -> [f x]) x
def check_number (f: f64 -> f64) (x: f64) : bool = check (\x -> [f x[0]]) [x]

-- Second derivatives by every mix of the operators, against differences of the gradient.
def check_hessian [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let x = opaque x
  let grad x = vjp f x 1
  let grad' x = map (\i -> jvp f x (unit n i)) (iota n)
  let h = reverse_mode grad x
  in close_matrix 1e-9 h (forward grad x)
     && close_matrix 1e-9 h (reverse_mode grad' x)
     && close_matrix 1e-9 h (forward grad' x)
     && close_matrix 1e-4 h (differences grad x)
     && close_matrix 1e-9 h (transpose h)
