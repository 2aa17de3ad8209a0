-- Derivatives in maps, loops, branches and folds, differentiated.
-- ==
-- input { } output {
--   [true, true, true, true, true, true, true, true, true, true, true, true,
--    true, true, true, true, true, true, true, true, true, true, true, true,
--    true, true] }
import "lib/fd"
-- laplacian by mjp of gradient inside a map, then differentiated
def lap (x: [6]f64) : []f64 =
  let u (p: [2]f64) =
    f64.sin (p[0] * x[0]) * f64.exp (p[1] * x[1]) + p[0] * p[1] * x[2]
  let grad p = vjp u p 1
  in map
       (\i ->
          let p = [x[i], x[i + 1]]
          let h = jmp grad p [[1, 0], [0, 1]]
          in h[0][0] + h[1][1])
       (iota 4)
-- PINN: derivative of a network wrt input, squared, gradient wrt weights
def pinn (w: [7]f64) : f64 =
  let net (t: f64) =
    w[0] * f64.tanh (w[1] * t + w[2]) + w[3] * f64.tanh (w[4] * t + w[5]) + w[6]
  in f64.sum
       (map (\t -> (jvp net t 1 + net t - f64.cos t) ** 2) [0.1, 0.4, 0.9])
     + net 0 ** 2
-- symplectic integrator with forces from vjp of a potential over all pairs
def nbody (x: [6]f64) : []f64 =
  let pot (q: [3]f64) =
    f64.sum
      (map
         (\i ->
            f64.sum
              (map
                 (\j ->
                    if i < j then 1 / f64.sqrt ((q[i] - q[j]) ** 2 + 0.5) else 0)
                 (iota 3)))
         (iota 3))
    + 0.5 * dot q q
  let (q, p) =
    loop (q, p) = (take 3 x, drop 3 x :> [3]f64) for _t < 6 do
      let p = map2 (\p g -> p - 0.05 * g) p (vjp pot q 1)
      let q = map2 (\q p -> q + 0.1 * p) q p
      in (q, map2 (\p g -> p - 0.05 * g) p (vjp pot q 1))
  in sized 6 (q ++ p)
-- Lagrangian: needs hessian solve 2x2 by mjp, jmp in loops
def lagr (x: [4]f64) : []f64 =
  let l (q: [2]f64) (v: [2]f64) =
    0.5
    * (v[0] ** 2 + v[1] ** 2 * (1 + q[0] ** 2))
    + v[0] * v[1] * f64.cos (q[0] - q[1]) * 0.3
    - q[0] ** 2
    + f64.sin q[1]
  let acc q v =
    let dv v = vjp (l q) v 1
    let m = jmp dv v [[1, 0], [0, 1]]
    let rhs = map2 (-) (vjp (\q -> l q v) q 1) (jvp (\q -> vjp (l q) v 1) q v)
    let d = m[0][0] * m[1][1] - m[0][1] * m[1][0]
    in [ (m[1][1] * rhs[0] - m[1][0] * rhs[1]) / d
       , (m[0][0] * rhs[1] - m[0][1] * rhs[0]) / d
       ]
  let (q, v) =
    loop (q, v) = ([x[0], x[1]], [x[2], x[3]]) for _t < 4 do
      let a = acc q v
      in (map2 (\q v -> q + 0.1 * v) q v, map2 (\v a -> v + 0.1 * a) v a)
  in sized 4 (q ++ v)
-- score matching: trace of jacobian of the score by jvp in a reduce
def score (x: [4]f64) : f64 =
  let s (p: [3]f64) =
    map (\i -> f64.tanh (p[i] * x[i] + p[(i + 1) % 3]) - p[i] * x[3]) (iota 3)
  in f64.sum (map (\k -> let p = map (\i -> f64.cos (f64.i64 (i + k))) (iota 3)
                         in f64.sum
                              (map (\i -> (jvp s p (unit 3 i))[i]) (iota 3))
                            + 0.5 * dot (s p) (s p)) (iota 3))
-- natural gradient step: J J^T by mjp, with in-place solve
def natgrad (x: [3]f64) : []f64 =
  let f (w: [3]f64) : [2]f64 = [w[0] * w[1] + f64.sin w[2], w[2] * w[2] - w[0]]
  let j = mjp f x [[1, 0], [0, 1]]
  let g = map (\a -> map (dot a) j) j
  let r = f x
  let a =
    loop (a: *[2][3]f64) = [ [g[0][0] + 0.1, g[0][1], r[0]]
                           , [g[1][0], g[1][1] + 0.1, r[1]]
                           ] for i < 2 do
      let p = a[i, i]
      let a = a with [i] = map (/p) (copy a[i])
      let o = 1 - i
      let c = copy a[o, i]
      in a with [o] = map2 (\u v -> u - c * v) (copy a[o]) (copy a[i])
  in map2 (-) x (vjp f x [a[0, 2], a[1, 2]])
-- hyperparameter: leave-one-out with ridge in 1d via vjp of training loop using in-place history
def hyper (x: [3]f64) : f64 =
  let hist =
    loop (h: *[8]f64) = replicate 8 x[0] for i in 1..<8 do
      let loss w = (w * 1.5 - x[1]) ** 2 + x[2] ** 2 * w * w
      in h with [i] = h[i - 1] - 0.1 * vjp loss h[i - 1] 1
  in f64.sum (map2 (\h i -> h * h * f64.i64 i) hist (iota 8))
-- vjp of a function with a histogram inside a scan operator's map
def histscan (x: [6]f64) : []f64 =
  let f (p: [6]f64) = hist (+) 0 3 (map (%3) (iota 6)) (scan (*) 1 p)
  in vjp f x (map f64.sin [x[0], x[1], x[2]])
-- vjp w.r.t. record and tuple arguments, zero integer parts
def recarg (x: [4]f64) : []f64 =
  let f (r: {a: [2]f64, b: (f64, i64), c: bool}) =
    (if r.c then r.a[0] * r.b.0 else r.a[1]) * f64.i64 r.b.1 + r.a[1] ** 2
  let g = vjp f {a = [x[0], x[1]], b = (x[2], 3i64), c = x[3] > 0} x[3]
  in [g.a[0], g.a[1], g.b.0, f64.i64 0]
-- jvp with an active tangent, several variables
def dirs (x: [4]f64) : []f64 = jvp
                                 (\p ->
                                    map2
                                      (\a b -> a * b * f64.sin a)
                                      p
                                      (rotate 1 p))
                                 x
                                 (map (\v -> v * v * v) x)
-- vjp with an active cotangent through sort
def sortd (x: [4]f64) : []f64 =
  let sort (p: [4]f64) : [4]f64 =
    loop p for _i < 4 do
      map
        (\i ->
           if i == 3
           then f64.max p[2] p[3]
           else if i == 2
           then f64.min (f64.max p[1] p[2]) p[3]
           else p[i])
        (iota 4)
  in vjp (\p -> map (**3) (sort p)) x (map (\v -> f64.cos (v * x[0])) x)
-- third derivative by mixing
def third (x: [2]f64) : f64 =
  let f a = f64.exp (a * x[0]) * f64.sin (a + x[1])
  in jvp (\a -> vjp (\b -> jvp f b 1) a 1) 0.7 1
-- vjp inside the branch of an if inside while, with while count depending on value
def inwhile (x: [2]f64) : f64 =
  (loop (y, i) = (x[0] + 3, 0i32) while y > 1 && i < 20 do
     ( if i % 2 == 0
       then y - 0.3 * vjp (\z -> z * z * x[1] ** 2 + z) y 0.5
       else y * jvp f64.cos (0.1 * x[1]) (-0.5) + 0.6 * y
     , i + 1
     )).0
-- with_vjp_tape with loop inside and derivative of the rule
def tape (x: [3]f64) : []f64 =
  let f = with_vjp_tape
            (\v -> let e = f64.exp v in (e, e + v))
            (\(e, a) -> a * (e + 1))
  in vjp (\p -> map (\v -> f (f v * 0.1)) p) x x
def xs n = map (\i -> f64.sin (1.3 * f64.i64 i + 0.5)) (iota n)
def weigh [n] (x: [n]f64) =
  f64.sum (map2 (\i v -> v * f64.sin v + v * f64.i64 i) (iota n) x)

entry main =
  [ check lap (xs 6)
  , check_scalar pinn (xs 7)
  , check nbody (xs 6)
  , check lagr (xs 4)
  , check_scalar score (xs 4)
  , check natgrad (xs 3)
  , check_scalar hyper (xs 3)
  , check histscan (xs 6)
  , check recarg (xs 4)
  , check dirs (xs 4)
  , check sortd (xs 4)
  , check_scalar third (xs 2)
  , check_scalar inwhile (xs 2)
  , check tape (xs 3)
  , check_hessian (\x -> weigh (lap x)) (xs 6)
  , check_hessian pinn (xs 7)
  , check_hessian (\x -> weigh (nbody x)) (xs 6)
  , check_hessian (\x -> weigh (lagr x)) (xs 4)
  , check_hessian score (xs 4)
  , check_hessian (\x -> weigh (natgrad x)) (xs 3)
  , check_hessian hyper (xs 3)
  , check_hessian (\x -> weigh (histscan x)) (xs 6)
  , check_hessian (\x -> weigh (recarg x)) (xs 4)
  , check_hessian (\x -> weigh (dirs x)) (xs 4)
  , check_hessian (\x -> weigh (sortd x)) (xs 4)
  , check_hessian third (xs 2)
  ]
