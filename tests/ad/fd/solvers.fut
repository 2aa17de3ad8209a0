-- Solvers and optimisers that use derivatives, differentiated; attributes of loops.
-- ==
-- input { } output {
--   [true, true, true, true, true, true, true, true, true, true, true, true,
--    true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"
-- Newton on a function using jvp inside a while loop, differentiated
def newton1 [n] (x: [n]f64) : []f64 =
  let solve (a: f64) =
    let f y = y * y * y + a * y - 1
    let (y, _) =
      loop (y, k) = (1.0, 0i32) while f64.abs (f y) > 1e-13 && k < 60 do
        (y - f y / jvp f y 1, k + 1)
    in y
  in map (\v -> solve (v * v + 0.5)) x
-- Newton in 2d with jacobian by mjp, Cramer
def newton2 [n] (x: [n]f64) : []f64 =
  let f (p: [2]f64) : [2]f64 =
    [p[0] * p[0] + p[1] - x[0] - 2, p[0] - p[1] * p[1] * x[1]]
  let step (p: [2]f64) =
    let j = mjp f p [[1, 0], [0, 1]]
    let r = f p
    let d = j[0][0] * j[1][1] - j[0][1] * j[1][0]
    in [ p[0] - (j[1][1] * r[0] - j[0][1] * r[1]) / d
       , p[1] - (j[0][0] * r[1] - j[1][0] * r[0]) / d
       ]
  in iterate 8 step [1, 1]
-- gradient descent through quadratic with learning rate as input
def gd [n] (x: [n]f64) : f64 =
  let loss (w: [2]f64) =
    (w[0] * x[1] - 1) ** 2 + (w[1] - x[2] * w[0]) ** 2 + 0.1 * f64.cos w[1]
  let w =
    loop w = [0.1, 0.2] for _i < 12 do
      let g = vjp loss w 1
      in map2 (\a b -> a - (0.05 + 0.01 * x[0]) * b) w g
  in loss w
-- MAML: two levels
def maml [n] (x: [n]f64) : f64 =
  let task (t: f64) (w: f64) = (f64.sin (w * t) - t * t) ** 2
  let inner t w = loop w = w for _k < 3 do w - 0.1 * vjp (task t) w 1
  let outer w = f64.sum (map (\t -> task t (inner t w)) x)
  in loop w = 0.3 for _k < 4 do w - 0.05 * vjp outer w 1
-- Adam differentiated
def adam [n] (x: [n]f64) : []f64 =
  let loss w = f64.sum (map2 (\w v -> (w - v) ** 2 * (1 + w * w)) w x)
  let (w, _, _) =
    loop (w, m, v) = (replicate n 0.0, replicate n 0.0, replicate n 0.0) for t < 6 do
      let g = vjp loss w 1
      let m = map2 (\m g -> 0.9 * m + 0.1 * g) m g
      let v = map2 (\v g -> 0.99 * v + 0.01 * g * g) v g
      let c1 = 1 - 0.9 ** f64.i64 (t + 1)
      let c2 = 1 - 0.99 ** f64.i64 (t + 1)
      in ( map3 (\w m v -> w - 0.1 * (m / c1) / (f64.sqrt (v / c2) + 1e-3)) w m v
         , m
         , v
         )
  in w
-- fixed point by bisection on integer condition, derivative by final newton step with vjp
def bisect [n] (x: [n]f64) : []f64 =
  let solve a =
    let f y = f64.exp y + y - a
    let (lo, _) =
      loop (lo, hi) = (-5.0, 5.0) for _i < 50 do
        let mid = (lo + hi) / 2 in if f mid > 0 then (lo, mid) else (mid, hi)
    in lo - f lo / vjp f lo 1
  in map solve x
-- Runge-Kutta-Fehlberg adaptive: while with step accept/reject
def adaptive [n] (x: [n]f64) : f64 =
  let f (t: f64) (y: f64) = -y * x[0] + f64.sin (t * x[1]) + x[2]
  let (_, y, _, _) =
    loop (t, y, h, k) = (0.0, x[0], 0.1, 0i64) while t < 1 && k < 100 do
      let h = f64.min h (1 - t)
      let k1 = f t y
      let k2 = f (t + h) (y + h * k1)
      let err = f64.abs (h * (k2 - k1)) / 2
      in if err < 1e-1
         then (t + h, y + h * (k1 + k2) / 2, h * 1.2, k + 1)
         else (t, y, h / 2, k + 1)
  in y
-- conjugate gradient
def cg [n] (x: [n]f64) : []f64 =
  let a = map
            (\i ->
               map
                 (\j ->
                    if i == j
                    then 4 + x[i] * x[i]
                    else 1 / (1 + f64.abs (f64.i64 (i - j))))
                 (iota n))
            (iota n)
  let mv v = map (\r -> dot r v) a
  let (s, _, _) =
    loop (s, r, p) = (replicate n 0.0, x, x) for _i < 4 do
      let ap = mv p
      let al = dot r r / dot p ap
      let s = map2 (\s p -> s + al * p) s p
      let r' = map2 (\r q -> r - al * q) r ap
      let be = dot r' r' / dot r r
      in (s, r', map2 (\r p -> r + be * p) r' p)
  in s
-- secant method with swap of loop params
def secant [n] (x: [n]f64) : []f64 =
  map (\v -> (loop (a, b) = (1.0, 2.0 + 0.1 * v) for _i < 5 do
                let fa = a * a - v * v - 2
                let fb = b * b - v * v - 2
                in if f64.abs (fb - fa) < 1e-12
                   then (b, b)
                   else (b, b - fb * (b - a) / (fb - fa))).1) x
-- stripmine and unroll attributes
def strip [n] (x: [n]f64) : []f64 =
  let r = #[stripmine(2)] loop y = x for i < 17 do
                            map2
                              (\a b -> f64.sin (a * b) + 0.1 * f64.i64 i)
                              y
                              (rotate 1 y)
  in #[unroll] loop r for i < 3 do map (\v -> v * (1 + f64.i64 i) + f64.cos v) r
-- bound attribute
def bounded [n] (x: [n]f64) : []f64 =
  map
    (\v ->
       (#[bound(30)] loop (a, s) = (v, 0.0) while f64.abs a > 0.05 do
                       (a * 0.7, s + a * a)).1)
    x
-- Halley's method with jvp of jvp
def halley [n] (x: [n]f64) : []f64 =
  map (\v -> loop y = 1.0 for _i < 6 do
               let f y = y ** 5 - v * v - 1
               let f1 y = jvp f y 1
               let f2 y = jvp f1 y 1
               in y - 2 * f y * f1 y / (2 * f1 y ** 2 - f y * f2 y)) x
def x4 : [4]f64 = [0.7, 1.3, 0.4, 0.9]
def weigh [n] (x: [n]f64) =
  f64.sum (map2 (\i v -> v * f64.sin v + v * f64.i64 i) (iota n) x)

entry main =
  [ check newton1 x4
  , check newton2 x4
  , check_scalar gd x4
  , check_scalar maml x4
  , check adam x4
  , check bisect x4
  , check_scalar adaptive x4
  , check cg x4
  , check secant x4
  , check strip x4
  , check bounded x4
  , check halley x4
  , check_hessian (\x -> weigh (newton1 x)) x4
  , check_hessian (\x -> weigh (newton2 x)) x4
  , check_hessian gd x4
  , check_hessian maml x4
  , check_hessian (\x -> weigh (adam x)) x4
  , check_hessian adaptive x4
  , check_hessian (\x -> weigh (cg x)) x4
  , check_hessian (\x -> weigh (secant x)) x4
  , check_hessian (\x -> weigh (strip x)) x4
  , check_hessian (\x -> weigh (bounded x)) x4
  , check_hessian (\x -> weigh (halley x)) x4
  ]
