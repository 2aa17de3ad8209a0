-- Sequence models: a GRU, attention, hidden Markov models, filters, CTC, optimal transport, fields.
-- ==
-- input { } output {
--   [true, true, true, true, true, true, true, true, true, true, true, true,
--    true, true, true, true, true, true, true, true] }
import "lib/fd"
def mv [m][n] (a: [m][n]f64) (v: [n]f64) : [m]f64 = map (dot v) a
def sigm (x: f64) = 1 / (1 + f64.exp (-x))
-- GRU over a sequence with parameters from one flat vector (h=2, in=2)
def gru (p: [24]f64) : f64 =
  let w = unflatten (p :> [6 * 4]f64)
  let xs = map (\t -> [f64.sin (f64.i64 t), f64.cos (2 * f64.i64 t)]) (iota 5)
  let step (h: [2]f64) (x: [2]f64) : [2]f64 =
    let hx = sized 4 (h ++ x)
    let z = map sigm (sized 2 (mv w[0:2] hx))
    let r = map sigm (sized 2 (mv w[2:4] hx))
    let c = map f64.tanh (sized 2 (mv w[4:6] (sized 4 (map2 (*) r h ++ x))))
    in map3 (\z h c -> (1 - z) * h + z * c) z h c
  in f64.sum (foldl step [0.1, -0.2] xs)
-- transformer block: layernorm, softmax attention with causal mask, gelu
def tfm (x: [12]f64) : []f64 =
  let h = unflatten (x :> [4 * 3]f64)
  let ln v =
    let m = f64.sum v / 3
    let s = f64.sum (map (\a -> (a - m) ** 2) v) / 3
    in map (\a -> (a - m) / f64.sqrt (s + 1e-3)) v
  let q = map ln h
  let att = map2 (\i qi -> let s = map2
                                     (\j kj ->
                                        if j <= i
                                        then dot qi kj / f64.sqrt 3
                                        else f64.lowest)
                                     (iota 4)
                                     (map (map (*0.7)) q)
                           let m = f64.maximum s
                           let e = map (\v -> f64.exp (v - m)) s
                           let t = f64.sum e
                           in map
                                (\c -> f64.sum (map2 (\e r -> e / t * r[c]) e h))
                                (iota 3)) (iota 4) q
  let y = map2 (map2 (+)) h att
  in map (\v -> 0.5 * v * (1 + f64.erf (v / f64.sqrt 2))) (flatten y)
-- HMM forward in log space
def hmm (x: [9]f64) : f64 =
  let lse [k] (v: [k]f64) =
    let m = f64.maximum v
    in m + f64.log (f64.sum (map (\a -> f64.exp (a - m)) v))
  let tr = map
             (\r -> let l = lse r in map (\v -> v - l) r)
             (unflatten (x :> [3 * 3]f64))
  let obs = [0i64, 2, 1, 1, 0]
  let em =
    map (\i -> map (\o -> -f64.abs (f64.i64 (i - o)) * x[i]) (iota 3)) (iota 3)
  let a =
    loop a = map (\i -> em[i][obs[0]]) (iota 3) for t in 1..<5 do
      map
        (\j -> em[j][obs[t]] + lse (map (\i -> a[i] + tr[i][j]) (iota 3)))
        (iota 3)
  in lse a
-- Kalman filter 2d, 2x2 matrices as tuples
module mat2 = {
  type t = (f64, f64, f64, f64)
  def mul ((a, b, c, d): t) ((e, f, g, h): t) : t =
    (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  def add ((a, b, c, d): t) ((e, f, g, h): t) : t = (a + e, b + f, c + g, d + h)
  def tr ((a, b, c, d): t) : t = (a, c, b, d)
}
def kalman (x: [5]f64) : f64 =
  let zs = map (\t -> f64.sin (0.5 * f64.i64 t) + 0.1) (iota 6)
  let f : mat2.t = (1, x[0], 0, 1 - x[1])
  let qn : mat2.t = (x[2] * x[2], 0.01, 0.01, x[3] * x[3])
  let r = x[4] * x[4] + 0.1
  let (_, _, ll) =
    loop ((m0, m1), p, ll) = ((0.0, 0.0), (1.0, 0.0, 0.0, 1.0), 0.0) for z in zs do
      let (m0, m1) = (m0 + f.1 * m1, f.3 * m1)
      let p = mat2.add (mat2.mul f (mat2.mul p (mat2.tr f))) qn
      let s = p.0 + r
      let y = z - m0
      let (k0, k1) = (p.0 / s, p.2 / s)
      in ( (m0 + k0 * y, m1 + k1 * y)
         , mat2.mul (1 - k0, 0, -k1, 1) p
         , ll - 0.5 * (y * y / s + f64.log s)
         )
  in ll
-- CTC loss
def ctc (x: [12]f64) : f64 =
  let lp = map
             (\r ->
                let m = f64.maximum r
                let l = m + f64.log (f64.sum (map (\v -> f64.exp (v - m)) r))
                in map (\v -> v - l) r)
             (unflatten (x :> [4 * 3]f64))
  let lab = [0i64, 1, 0, 2, 0]
  let lse2 a b =
    if a == f64.lowest
    then b
    else if b == f64.lowest
    then a
    else let m = f64.max a b in m + f64.log1p (f64.exp (f64.min a b - m))
  let a0 = map (\s -> if s < 2 then lp[0][lab[s]] else f64.lowest) (iota 5)
  let a =
    loop a = a0 for t in 1..<4 do
      map (\s -> let v = a[s]
                 let v = if s > 0 then lse2 v a[s - 1] else v
                 let v =
                   if s > 1 && lab[s] != 0 && lab[s] != lab[s - 2]
                   then lse2 v a[s - 2]
                   else v
                 in if v == f64.lowest then v else v + lp[t][lab[s]]) (iota 5)
  in -lse2 a[4] a[3]
-- Sinkhorn
def sinkhorn (x: [6]f64) : f64 =
  let c = map (\i -> map (\j -> (x[i] - x[3 + j]) ** 2) (iota 3)) (iota 3)
  let k = map (map (\v -> f64.exp (-v / 0.5))) c
  let (u, v) =
    loop (u, v) = (replicate 3 1.0, replicate 3 1.0) for _i < 7 do
      let u = map (\r -> (1 / 3) / dot r v) k
      in (u, map (\r -> (1 / 3) / dot r u) (transpose k))
  in f64.sum
       (map3
          (\ui kr cr -> f64.sum (map3 (\kk vv cc -> ui * kk * vv * cc) kr v cr))
          u
          k
          c)
-- CRF partition by scan with log semiring matrices as arrays
def crf (x: [8]f64) : f64 =
  let ms = map (\t -> [[x[t], x[t + 1] * 0.5], [x[t + 2], -x[t]]]) (iota 5)
  let lse a b =
    let m = f64.max a b
    in if m == f64.lowest
       then m
       else m + f64.log (f64.exp (a - m) + f64.exp (b - m))
  let op (a: [2][2]f64) (b: [2][2]f64) =
    map (\r -> map (\c -> lse (r[0] + c[0]) (r[1] + c[1])) (transpose b)) a
  let r = reduce op [[0, f64.lowest], [f64.lowest, 0]] ms
  in lse r[0][0] r[1][1]
-- B-spline (de Boor), basis recursion by loop in place
def bspline (x: [7]f64) : []f64 =
  let knots = map (\i -> f64.i64 i) (iota 11)
  let at u =
    let k = i64.f64 u
    let d = map (\j -> x[j + k - 3]) (iota 4)
    let d =
      loop (d: *[4]f64) = d for r in 1...3 do
        loop d for q < 4 - r do
          let j = 3 - q
          let al =
            (u - knots[j + k - 3]) / (knots[j + 1 + k - r] - knots[j + k - 3])
          in d with [j] = (1 - al) * d[j - 1] + al * d[j]
    in d[3]
  in map (\u -> at u * f64.sin (at (u + 0.1 * x[0] * x[0]))) [3.3, 4.1, 5.2]
-- VAE: reparametrisation with log var, Bernoulli decoder
def vae (p: [10]f64) : f64 =
  let xs = [[0.2, 0.9], [0.7, 0.1], [0.5, 0.5]]
  let eps = [[0.1, -1.2], [0.6, 0.3], [-0.4, 0.8]]
  in f64.sum (map2 (\x e ->
                      let mu =
                        map (\i -> x[0] * p[i] + x[1] * p[i + 1]) (iota 2)
                      let lv = map
                                 (\i ->
                                    f64.tanh (x[0] * p[i + 3] - x[1] * p[i + 4]))
                                 (iota 2)
                      let z = map3 (\m l e -> m + f64.exp (0.5 * l) * e) mu lv e
                      let o = map
                                (\i -> sigm (z[0] * p[6 + i] + z[1] * p[7 + i]))
                                (iota 2)
                      let rec = f64.sum
                                  (map2
                                     (\o x ->
                                        x * f64.log o + (1 - x) * f64.log1p (-o))
                                     o
                                     x)
                      let kl =
                        0.5
                        * f64.sum
                            (map2 (\m l -> f64.exp l + m * m - 1 - l) mu lv)
                      in kl - rec) xs eps)
-- LDA-style log likelihood with lgamma
def lda (x: [4]f64) : f64 =
  let a = map f64.exp x
  let n = [[3.0, 1, 0, 2], [0, 0, 5, 1]]
  let s = f64.sum a
  in f64.sum
       (map
          (\r ->
             f64.lgamma s
             - f64.lgamma (s + f64.sum r)
             + f64.sum (map2 (\a c -> f64.lgamma (a + c) - f64.lgamma a) a r))
          n)
def xs n = map (\i -> f64.sin (1.3 * f64.i64 i + 0.5)) (iota n)
def weigh [n] (x: [n]f64) =
  f64.sum (map2 (\i v -> v * f64.sin v + v * f64.i64 i) (iota n) x)

entry main =
  [ check_scalar gru (xs 24)
  , check tfm (xs 12)
  , check_scalar hmm (xs 9)
  , check_scalar kalman (xs 5)
  , check_scalar ctc (xs 12)
  , check_scalar sinkhorn (xs 6)
  , check_scalar crf (xs 8)
  , check bspline (xs 7)
  , check_scalar vae (xs 10)
  , check_scalar lda (xs 4)
  , check_hessian gru (xs 24)
  , check_hessian (\x -> weigh (tfm x)) (xs 12)
  , check_hessian hmm (xs 9)
  , check_hessian kalman (xs 5)
  , check_hessian ctc (xs 12)
  , check_hessian sinkhorn (xs 6)
  , check_hessian crf (xs 8)
  , check_hessian (\x -> weigh (bspline x)) (xs 7)
  , check_hessian vae (xs 10)
  , check_hessian lda (xs 4)
  ]
