-- Rays, cameras, arms, factorisations, options, particles, paths and elements.
-- ==
-- input { } output {
--   [true, true, true, true, true, true, true, true, true, true, true, true,
--    true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"
def norm3 (v: (f64, f64, f64)) = f64.sqrt (v.0 * v.0 + v.1 * v.1 + v.2 * v.2)
-- ray marching of a sphere with smooth-min to a plane; while loop; normals by vjp
def march (x: [5]f64) : []f64 =
  let sdf (p: (f64, f64, f64)) =
    let s = norm3 (p.0 - x[0], p.1 - x[1], p.2 - 3) - (1 + 0.2 * x[2])
    let pl = p.1 + 1.2
    let h = f64.max 0 (f64.min 1 (0.5 + 0.5 * (pl - s) / 0.3))
    in pl * (1 - h) + s * h - 0.3 * h * (1 - h)
  in map (\u ->
            let d = (u, x[3] * 0.1, 1)
            let l = norm3 d
            let d = (d.0 / l, d.1 / l, d.2 / l)
            let (t, _) =
              loop (t, k) = (0.0, 0i32) while k
                                              < 30
                                              && sdf (t * d.0, t * d.1, t * d.2)
                                                 > 1e-9 do
                (t + sdf (t * d.0, t * d.1, t * d.2), k + 1)
            let nrm = vjp sdf (t * d.0, t * d.1, t * d.2) 1
            in t + 0.3 * (nrm.0 * 0.5 + nrm.1 - nrm.2 * x[4])) [-0.2, 0.0, 0.15]
-- bundle: Rodrigues with small-angle branch
def rodr (x: [9]f64) : []f64 =
  let (r, t, p) = (x[0:3], x[3:6], x[6:9])
  let th2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
  let cross (a: []f64) (b: []f64) = [ a[1] * b[2] - a[2] * b[1]
                                    , a[2] * b[0] - a[0] * b[2]
                                    , a[0] * b[1] - a[1] * b[0]
                                    ]
  let q =
    if th2 > 1e-12 then
      let th = f64.sqrt th2
      let k = map (/th) r
      let c = cross k p
      let d = k[0] * p[0] + k[1] * p[1] + k[2] * p[2]
      in map
           (\i ->
              p[i]
              * f64.cos th
              + c[i] * f64.sin th
              + k[i] * d * (1 - f64.cos th))
           (iota 3)
    else let c = cross r p in map (\i -> p[i] + c[i]) (iota 3)
  let z = q[2] + t[2] + 5
  let (u, v) = ((q[0] + t[0]) / z, (q[1] + t[1]) / z)
  let r2 = u * u + v * v
  in [u * (1 + 0.1 * r2 + 0.01 * r2 * r2), v * (1 + 0.1 * r2)]
-- robot arm, forward kinematics as scan of homogeneous transforms, position error
def arm [n] (x: [n]f64) : f64 =
  let op (c1, s1, x1, y1) (c2, s2, x2, y2) = ( c1 * c2 - s1 * s2
                                             , s1 * c2 + c1 * s2
                                             , x1 + c1 * x2 - s1 * y2
                                             , y1 + s1 * x2 + c1 * y2
                                             )
  let js = scan op (1, 0, 0, 0) (map (\a -> (f64.cos a, f64.sin a, 1, 0)) x)
  let (_, _, px, py) = last js
  in (px - 1)
     ** 2
     + (py - 2) ** 2
     + f64.sum (map (\(_, _, _, y) -> f64.exp (-4 * y)) js)
-- Cholesky and log det, GP likelihood
def gp (x: [5]f64) : f64 =
  let k = map
            (\i ->
               map
                 (\j ->
                    f64.exp (-((x[i] - x[j]) ** 2)) + if i == j then 0.3 else 0)
                 (iota 4))
            (iota 4)
  let l =
    loop (l: *[4][4]f64) = replicate 4 (replicate 4 0.0) for j < 4 do
      let d = f64.sqrt
                (k[j][j]
                 - f64.sum
                     (map
                        (\q -> if q < j then l[j, q] * l[j, q] else 0)
                        (iota 4)))
      let l = l with [j, j] = d
      in loop l for i in j + 1..<4 do
           l with [i, j] = (k[i][j] - f64.sum (map2 (*) l[i,:j] l[j,:j])) / d
  let y =
    loop (y: *[4]f64) = replicate 4 0.0 for i < 4 do
      y with [i] = (f64.sin x[i]
                    * x[4]
                    - f64.sum (map (\q -> l[i, q] * y[q]) (iota i)))
                   / l[i, i]
  in 0.5 * dot y y + f64.sum (map (\i -> f64.log l[i, i]) (iota 4))
-- QR by modified Gram-Schmidt
def qr (x: [9]f64) : []f64 =
  let a = map
            (\i -> map (\j -> x[3 * i + j] + if i == j then 2 else 0) (iota 3))
            (iota 3)
  let (q, r) =
    loop ((q: *[3][3]f64), (r: *[3][3]f64)) = ( copy (transpose a)
                                              , replicate 3 (replicate 3 0.0)
                                              ) for k < 3 do
      let nk = f64.sqrt (dot q[k] q[k])
      let r = r with [k, k] = nk
      let q = q with [k] = map (/nk) q[k]
      in loop (q, r) = (q, r) for j in k + 1..<3 do
           let d = dot q[k] q[j]
           let r = r with [k, j] = d
           in (q with [j] = map2 (\u v -> u - d * v) q[j] q[k], r)
  in flatten q ++ flatten r :> [18]f64
-- power iteration with Rayleigh quotient
def power [n] (x: [n]f64) : f64 =
  let a = map
            (\i ->
               map
                 (\j ->
                    f64.cos (x[i] - x[j])
                    * x[i]
                    * x[j]
                    + if i == j then 2 + f64.i64 i else 0)
                 (iota n))
            (iota n)
  let mv v = map (dot v) a
  let v =
    loop v = replicate n 1.0 for _i < 12 do
      let u = mv v let s = f64.sqrt (dot u u) in map (/s) u
  in dot v (mv v)
-- Jacobi eigenvalue rotations 3x3 (in-place sweeps with computed rotation)
def jacobi (x: [6]f64) : []f64 =
  let a =
    [[2 + x[0], x[1], x[2]], [x[1], 4 + x[3], x[4]], [x[2], x[4], 7 + x[5]]]
  let a =
    loop a = a for _s < 4 do loop a = a for (p, q) in [ (0i64, 1i64)
                                                      , (0, 2)
                                                      , (1, 2)
                                                      ] do
                               let th =
                                 0.5
                                 * f64.atan2 (2 * a[p][q]) (a[q][q] - a[p][p])
                               let (c, s) = (f64.cos th, f64.sin th)
                               let g = map
                                         (\i ->
                                            map
                                              (\j ->
                                                 if i == j
                                                 then (if i == p || i == q
                                                       then c
                                                       else 1)
                                                 else if i == p && j == q
                                                 then s
                                                 else if i == q && j == p
                                                 then -s
                                                 else 0)
                                              (iota 3))
                                         (iota 3)
                               let mm m1 m2 = map
                                                (\r ->
                                                   map
                                                     (\cc -> dot r cc)
                                                     (transpose m2))
                                                m1
                               in mm (transpose g) (mm a g)
  in [a[0][0], a[1][1], a[2][2]]
-- matrix exponential: scaling (norm dependent number of squarings) and Taylor
def expm (x: [4]f64) : []f64 =
  let mm (a: [2][2]f64) (b: [2][2]f64) = map (\r -> map (dot r) (transpose b)) a
  let a = [[x[0], x[1]], [x[2], x[3]]]
  let nrm = f64.maximum (map (\r -> f64.sum (map f64.abs r)) a)
  let k = loop k = 0i64 while nrm / 2 ** f64.i64 k > 0.5 do k + 1
  let b = map (map (/ (2 ** f64.i64 k))) a
  let (e, _) =
    loop (e, t) = ([[1.0, 0], [0, 1]], [[1.0, 0], [0, 1]]) for i in 1...10 do
      let t = map (map (/ f64.i64 i)) (mm t b) in (map2 (map2 (+)) e t, t)
  in flatten (loop e for _i < k do mm e e)
-- Black-Scholes greeks: gamma from vjp of vjp, implied vol by Newton with vega
def bs (x: [3]f64) : []f64 =
  let cdf z = 0.5 * f64.erfc (-z / f64.sqrt 2)
  let price s v t =
    let d1 = (f64.log (s / 100) + (0.02 + v * v / 2) * t) / (v * f64.sqrt t) let d2 =
      d1 - v * f64.sqrt t
    in s * cdf d1 - 100 * f64.exp (-0.02 * t) * cdf d2
  let (s, v, t) = (100 + x[0], 0.2 + 0.1 * x[1], 1 + 0.5 * x[2])
  let gamma = jvp (\s -> vjp (\s -> price s v t) s 1) s 1
  let iv =
    loop q = 0.3 for _i < 6 do
      q - (price s q t - price s v t) / vjp (\q -> price s q t) q 1
  in [gamma, iv, vjp (\t -> price s v t) t 1]
-- SPH density + pressure forces with neighbour filter per particle
def sph (x: [10]f64) : []f64 =
  let ps = map (\i -> (x[2 * i], x[2 * i + 1])) (iota 5)
  let ker r2 = if r2 < 4 then (4 - r2) ** 3 / 64 else 0
  let rho = map
              (\(a, b) ->
                 f64.sum
                   (map
                      (\(c, d) -> ker ((a - c) ** 2 + (b - d) ** 2))
                      (filter (\(c, d) -> (a - c) ** 2 + (b - d) ** 2 < 4) ps)))
              ps
  in map3
       (\i (a, b) r ->
          f64.sum
            (map3
               (\j (c, d) q ->
                  if i == j
                  then 0
                  else (r + q)
                       * ker ((a - c) ** 2 + (b - d) ** 2)
                       * (a - c + b * d))
               (iota 5)
               ps
               rho))
       (iota 5)
       ps
       rho
-- XVA: Monte Carlo paths with a Sobol-ish LCG in u32, american by regression-free threshold
def mc (x: [3]f64) : f64 =
  let path (i: i64) =
    let (s, best, _) =
      loop (s, best, r) = (1 + 0.1 * x[0], 0.0, u32.i64 (i * 7919 + 13)) for _k < 8 do
        let r = r * 1664525 + 1013904223
        let u = (f64.u32 (r >> 8) + 0.5) / 16777216
        let z = f64.sqrt (-2 * f64.log u) * f64.cos (6.28 * u * 977)
        let s =
          s
          * f64.exp
              ((x[1] * 0.01 - 0.5 * (0.2 + 0.05 * x[2]) ** 2)
               * 0.125
               + (0.2 + 0.05 * x[2]) * f64.sqrt 0.125 * z)
        in (s, f64.max best (1 - s), r)
    in f64.max best (s - 1)
  in f64.sum (map path (iota 20)) / 20
-- finite elements 1d: assembly by reduce_by_index_2d, Thomas solve in place
def fem (x: [5]f64) : []f64 =
  let n = 6i64
  let ke = map (\e -> 1 + x[e] * x[e]) (iota 5)
  let entries = flatten
                  (map
                     (\e ->
                        [ ((e, e), ke[e])
                        , ((e, e + 1), -ke[e])
                        , ((e + 1, e), -ke[e])
                        , ((e + 1, e + 1), ke[e])
                        ])
                     (iota 5))
  let (ij, v) = unzip entries
  let a = reduce_by_index_2d (replicate n (replicate n 0.0)) (+) 0 ij v
  let d = map (\i -> a[i, i] + 0.5) (iota n)
  let (c, d') =
    loop ((c: *[n]f64), (b: *[n]f64)) = (replicate n 0.0, replicate n 1.0) for i < n do
      let m = if i == 0 then d[0] else d[i] - a[i, i - 1] * c[i - 1]
      let c = if i < n - 1 then c with [i] = a[i, i + 1] / m else c
      in ( c
         , b with [i] = if i == 0
                        then 1 / m
                        else (f64.i64 i * x[0] - a[i, i - 1] * b[i - 1]) / m
         )
  in loop (u: *[n]f64) = d' for k < n - 1 do
       let i = n - 2 - k in u with [i] = u[i] - c[i] * u[i + 1]
def xs n = map (\i -> f64.sin (1.3 * f64.i64 i + 0.5)) (iota n)
def weigh [n] (x: [n]f64) =
  f64.sum (map2 (\i v -> v * f64.sin v + v * f64.i64 i) (iota n) x)

entry main =
  [ check march (xs 5)
  , check rodr (xs 9)
  , check_scalar arm (xs 5)
  , check_scalar gp (xs 5)
  , check qr (xs 9)
  , check_scalar power (xs 4)
  , check jacobi (xs 6)
  , check expm (xs 4)
  , check bs (xs 3)
  , check sph (xs 10)
  , check_scalar mc (xs 3)
  , check fem (xs 5)
  , check_hessian (\x -> weigh (march x)) (xs 5)
  , check_hessian (\x -> weigh (rodr x)) (xs 9)
  , check_hessian arm (xs 5)
  , check_hessian gp (xs 5)
  , check_hessian (\x -> weigh (qr x)) (xs 9)
  , check_hessian power (xs 4)
  , check_hessian (\x -> weigh (jacobi x)) (xs 6)
  , check_hessian (\x -> weigh (expm x)) (xs 4)
  , check_hessian (\x -> weigh (bs x)) (xs 3)
  , check_hessian (\x -> weigh (sph x)) (xs 10)
  , check_hessian mc (xs 3)
  , check_hessian (\x -> weigh (fem x)) (xs 5)
  ]
