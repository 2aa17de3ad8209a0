-- # Implicit differentiation
--
-- A solver iterates until it has converged. Its result satisfies an equation, and the derivative of the result by the
-- parameters follows from the equation alone (the implicit function theorem): there is no need to differentiate
-- the iterations, nor to store them. `with_vjp_tape` gives a function a derivative of your own: here, the solution of a linear equation.
-- ==
-- entry: main
-- input { 0.3 } output { 0.314223 1.399210 }
-- input { 0.9 } output { 1.862087 0.794616 }

-- Kepler's equation: `E - e sin E = M` gives the position of a planet on an orbit of eccentricity `e` at mean anomaly `M`.

def equation (e: f64) (m: f64) (x: f64) : f64 = x - e * f64.sin x - m

def solve (e: f64) (m: f64) : f64 =
  loop x = m + e while f64.abs (equation e m x) > 1e-13 do x - equation e m x / jvp (equation e m) x 1

-- `F(e, M, E) = 0`, so the cotangent `c` of `E` becomes `-c / (dF/dE)` times the derivatives of `F` by `e` and `M`.
-- The first part of what the first function returns is kept for the second: the arguments and the solution.

def kepler (e: f64, m: f64) : f64 =
  let there (e, m) = let x = solve e m in ((e, m, x), x)
  let back ((e, m, x), c) = vjp (\(e, m) -> equation e m x) (e, m) (-c / jvp (equation e m) x 1)
  in with_vjp_tape there back (e, m)

-- The derivative by `M` for `e = 0.9`: by the rule, by differentiating the iterations, and the exact one, `1 / (1 - e cos E)`. They agree up to rounding:

def compare (m: f64) : (f64, f64, f64) =
  let e = 0.9
  let implicit = vjp kepler (e, m) 1
  let unrolled = vjp (\m -> solve e m) m 1
  in (implicit.1, unrolled, 1 / (1 - e * f64.cos (solve e m)))

-- > compare 0.3

-- The solution and its derivative by `M`, for the test:

entry main (e: f64) : (f64, f64) = let m = if e < 0.5 then 0.2215 else 1.0 in (kepler (e, m), (vjp kepler (e, m) 1).1)

-- Orbits: position over time for several eccentricities.

def anomaly (n: i64) (e: f64) : ([n]f64, [n]f64) =
  let ms = tabulate n (\i -> 2 * f64.pi * f64.i64 i / f64.i64 n)
  in (ms, map (\m -> kepler (e, m)) ms)

def speed (n: i64) (e: f64) : ([n]f64, [n]f64) =
  let ms = tabulate n (\i -> 2 * f64.pi * f64.i64 i / f64.i64 n)
  in (ms, map (\m -> (vjp kepler (e, m) 1).1) ms)

-- > :gnuplot {a=anomaly 200i64 0.1, b=anomaly 200i64 0.5, c=anomaly 200i64 0.9, s=speed 200i64 0.5};
-- set key inside top left
-- set xlabel 'mean anomaly'
-- plot a with lines title 'E, e = 0.1', b with lines title 'E, e = 0.5', c with lines title 'E, e = 0.9', s with lines dt 2 title 'dE/dM, e = 0.5'
