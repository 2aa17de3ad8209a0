-- Functors, records, sums, recursion, irregular maps, empty arrays and shrinking ones.
-- ==
-- input { } output {
--   [true, true, true, true, true, true, true, true, true, true, true, true,
--    true, true, true, true, true, true, true, true, true, true, true, true,
--    true, true, true, true, true] }
import "lib/fd"
-- functor: matrices over any ring, dual numbers inside AD
module type ring = {
  type t
  val zero: t
  val one: t
  val +: t -> t -> t
  val *: t -> t -> t
  val f: f64 -> t
}
module rf64 : ring with t = f64 = {
  type t = f64
  def zero = 0f64
  def one = 1f64
  def (a: t) + (b: t) = a f64.+ b
  def (a: t) * (b: t) = a f64.* b
  def f (x: f64) = x
}
module dual : ring with t = (f64, f64) = {
  type t = (f64, f64)
  def zero = (0f64, 0f64)
  def one = (1f64, 0f64)
  def (a: t) + (b: t) : t = (a.0 f64.+ b.0, a.1 f64.+ b.1)
  def (a: t) * (b: t) : t = (a.0 f64.* b.0, a.0 f64.* b.1 f64.+ a.1 f64.* b.0)
  def f (x: f64) = (x, 0f64)
}
module mk_mat (R: ring) = {
  def mul [n][m][k] (a: [n][m]R.t) (b: [m][k]R.t) : [n][k]R.t = map
                                                                  (\r ->
                                                                     map
                                                                       (\c ->
                                                                          reduce
                                                                            (R.+)
                                                                            R.zero
                                                                            (map2
                                                                               (R.*)
                                                                               r
                                                                               c))
                                                                       (transpose
                                                                          b))
                                                                  a
  def pow [n] (a: [n][n]R.t) (k: i32) : [n][n]R.t = iterate
                                                      k
                                                      (mul a)
                                                      (map
                                                         (\i ->
                                                            map
                                                              (\j ->
                                                                 if i == j
                                                                 then R.one
                                                                 else R.zero)
                                                              (iota n))
                                                         (iota n))
}
module mf = mk_mat rf64
module md = mk_mat dual
def functor (x: [4]f64) : []f64 =
  let a = [[x[0], x[1]], [x[2], x[3]]]
  let d = map (map (\v -> (v, v * v))) a
  in flatten
       (map2 (map2 (\p (q: (f64, f64)) -> p * q.1)) (mf.pow a 3) (md.pow d 3))
-- closures in arrays are not allowed; higher-order composition chain
def compose (x: [4]f64) : []f64 =
  let twice f = f <-< f
  let f = twice (twice (\v -> v + 0.1 * f64.sin v))
  let g k = (\v -> v * k) >-> f >-> (\v -> v / (1 + v * v))
  in map (g x[0]) x
-- records in records, updates of fields with arrays
type body = {pos: {x: f64, y: f64}, vel: {x: f64, y: f64}, hist: [3]f64}
def recs (x: [4]f64) : []f64 =
  let b : body =
    {pos = {x = x[0], y = x[1]}, vel = {x = x[2], y = x[3]}, hist = [0, 0, 0]}
  let b =
    loop b = b for i < 3 do
      let b = b with pos.x = b.pos.x + 0.1 * b.vel.x with vel.x = b.vel.x
                                                                  - b.pos.y
                                                                    * b.pos.x
      in b with hist = (copy b.hist with [i] = b.pos.x * b.vel.y)
  in b.hist
-- sum types: expression tree in prefix form, evaluated with a stack
type tok = #num f64 | #var i64 | #add | #mul | #sin
def rpn (x: [4]f64) : []f64 =
  let toks : []tok = [ #var 0
                     , #var 1
                     , #mul
                     , #sin
                     , #num 2
                     , #var 2
                     , #mul
                     , #add
                     , #var 3
                     , #var 3
                     , #mul
                     , #mul
                     ]
  let (st, _) =
    loop ((st: *[8]f64), sp) = (replicate 8 0.0, 0i64) for t in toks do
      match t
      case #num v -> (st with [sp] = v, sp + 1)
      case #var i -> (st with [sp] = x[i], sp + 1)
      case #add ->
        let v = st[sp - 2] + st[sp - 1] in (st with [sp - 2] = v, sp - 1)
      case #mul ->
        let v = st[sp - 2] * st[sp - 1] in (st with [sp - 2] = v, sp - 1)
      case #sin -> let v = f64.sin st[sp - 1] in (st with [sp - 1] = v, sp)
  in st[:2]
-- arrays of sum types with floats mapped, and option reduce
type opt = #none | #some f64
def opts (x: [4]f64) : []f64 =
  let os = map (\v -> if v > 0.2 then #some (v * v) else #none : opt) x
  let op (a: opt) (b: opt) : opt =
    match (a, b)
    case (#none, _) -> b
    case (_, #none) -> a
    case (#some p, #some q) -> #some (p * q)
  in match reduce op (#none: opt) os
     case #none -> [0, 0]
     case #some v -> [v, f64.sin v]
-- recursion: adaptive Simpson
def simpson (x: [4]f64) (a: f64) (b: f64) (d: i32) : f64 =
  let f t = f64.exp (-x[0] * t * t) * f64.cos (x[1] * t)
  let m = (a + b) / 2
  let s = (b - a) / 6 * (f a + 4 * f m + f b)
  let l = (m - a) / 6 * (f a + 4 * f ((a + m) / 2) + f m)
  let r = (b - m) / 6 * (f m + 4 * f ((b + m) / 2) + f b)
  in if d == 0 || f64.abs (s - l - r) < 1e-5
     then l + r
     else simpson x a m (d - 1) + simpson x m b (d - 1)
def quad (x: [4]f64) : []f64 = [simpson x 0 (1 + x[2] * x[2]) 4]
-- integers on the way: index arithmetic from floats by comparison only
def quant (x: [4]f64) : []f64 =
  let lut = map (\i -> f64.i64 (i * i) * x[0]) (iota 10)
  in map (\v -> let p = (v + 1) * 4
                let i = i64.f64 (f64.floor p)
                let fr = p - f64.floor p
                in lut[i] * (1 - fr) + lut[i + 1] * fr) x
-- flatmap' irregular + segmented sum
def irr (x: [4]f64) : []f64 =
  let (sh, _, off, dat) =
    flatmap' (\v -> filter (\u -> u > -0.5) [v, v * v, -v, v * v * v]) x
  in map2 (\s o -> f64.product (map (\i -> dat[o + i]) (iota s))) sh off
-- expand by hand: triangular numbers, segmented scan
def expand (x: [4]f64) : []f64 =
  let sz = [2i64, 0, 3, 1]
  let offs = exscan (+) 0 sz
  let tot = i64.sum sz
  let seg = scan
              i64.max
              0
              (reduce_by_index
                 (replicate tot 0i64)
                 i64.max
                 0
                 (map2 (\o s -> if s == 0 then -1 else o) offs sz)
                 (iota 4))
  let v = map2 (\s i -> x[s] ** f64.i64 (i - offs[s] + 1)) seg (iota tot)
  in reduce_by_index (replicate 4 0.0) (+) 0 seg v
-- zero-size things in the middle
def zeros (x: [4]f64) : []f64 =
  let e = map (\v -> v * x[0]) (take 0 x)
  let s =
    f64.sum e + f64.product e + (if length e > 0 then f64.maximum e else 0)
  let m = replicate 0 x
  let r = map2 (+) x (reduce (map2 (+)) (replicate 4 0) m)
  in map (+s) (loop r for v in e do map (*v) r)
-- polymorphic fold with accumulator record of arrays
def pfold 'a 'b [n] (f: a -> b -> a) (z: a) (xs: [n]b) : a =
  loop a = z for v in xs do f a v
def pf (x: [4]f64) : []f64 =
  let r = pfold
            (\{s, m} v -> {s = s + v * m[0], m = [m[1] + s, m[0] * v]})
            {s = 1.0, m = [1.0, 2.0]}
            x
  in [r.s] ++ r.m :> [3]f64
-- opaque attributes and asserts on values
def opq (x: [4]f64) : []f64 = map
                                (\v ->
                                   let y = opaque (v * v)
                                   in assert (y >= 0) (f64.sqrt (y + 1)) * v)
                                x
-- with_vjp in a loop in a map, consistent rule
def cust (x: [4]f64) : []f64 =
  let sq = with_vjp (\v -> v * v * v) (\r a -> 3 * a * f64.abs r ** (2 / 3))
  in map (\v -> loop s = v for _i < 3 do 0.5 * sq s + 0.3) x
-- sizes from filter in loop: shrinking array
def shrink (x: [4]f64) : []f64 =
  let (s, _) =
    loop (s, a) = (0.0, map (+2) x) while length a > 0 do
      ( s * (if length a > 0 then a[0] else 1) + f64.sum (map (\v -> v * v) a)
      , filter (> 1.5) (map (\v -> v - 0.61) a)
      )
  in [s]
-- let-bound functions capturing arrays, partial application, sections
def part (x: [4]f64) : []f64 =
  let ks = map (*2) x
  let f a b = a * ks[b] + ks[(b + 1) % 4]
  in map2 f x (iota 4) |> map (f64.sin >-> (**2) >-> (1-)) |> scan (*) 1
def x4 : [4]f64 = [0.7, -0.83, 0.41, 0.93]
def weigh [n] (x: [n]f64) =
  f64.sum (map2 (\i v -> v * f64.sin v + v * f64.i64 i) (iota n) x)

entry main =
  [ check functor x4
  , check compose x4
  , check recs x4
  , check rpn x4
  , check opts x4
  , check quad x4
  , check quant x4
  , check irr x4
  , check expand x4
  , check zeros x4
  , check pf x4
  , check opq x4
  , check cust x4
  , check part x4
  , check shrink x4
  , check_hessian (\x -> weigh (functor x)) x4
  , check_hessian (\x -> weigh (compose x)) x4
  , check_hessian (\x -> weigh (recs x)) x4
  , check_hessian (\x -> weigh (rpn x)) x4
  , check_hessian (\x -> weigh (opts x)) x4
  , check_hessian (\x -> weigh (quad x)) x4
  , check_hessian (\x -> weigh (quant x)) x4
  , check_hessian (\x -> weigh (irr x)) x4
  , check_hessian (\x -> weigh (expand x)) x4
  , check_hessian (\x -> weigh (zeros x)) x4
  , check_hessian (\x -> weigh (pf x)) x4
  , check_hessian (\x -> weigh (opq x)) x4
  , check_hessian (\x -> weigh (part x)) x4
  , check_hessian (\x -> weigh (shrink x)) x4
  ]
