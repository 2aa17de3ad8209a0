-- Dual, rational and interval arithmetic as modules; generic code over them.
module type num = {
  type t
  val + : t -> t -> t
  val - : t -> t -> t
  val * : t -> t -> t
  val / : t -> t -> t
  val lit : f64 -> t
}
module num_f64 : num with t = f64 = { open f64 def lit (x: f64) = x }
module dual (N: num) : {
  include num
  val var : N.t -> t
  val deriv : t -> N.t
  val value : t -> N.t
} = {
  type t = {v: N.t, d: N.t}
  def lit x : t = {v = N.lit x, d = N.lit 0}
  def var v : t = {v, d = N.lit 1}
  def value (x: t) = x.v
  def deriv (x: t) = x.d
  def (a: t) + (b: t) : t = N.({v = a.v + b.v, d = a.d + b.d})
  def (a: t) - (b: t) : t = N.({v = a.v - b.v, d = a.d - b.d})
  def (a: t) * (b: t) : t = N.({v = a.v * b.v, d = a.d * b.v + a.v * b.d})
  def (a: t) / (b: t) : t =
    N.({v = a.v / b.v, d = (a.d * b.v - a.v * b.d) / (b.v * b.v)})
}
module rational : { include num with t = (i64, i64) val show : t -> (i64, i64) } = {
  type t = (i64, i64)
  def gcd (a: i64) (b: i64) : i64 = if b == 0 then a else gcd b (a % b)
  def norm ((n, d): t) : t =
    let g = gcd (i64.abs n) (i64.abs d)
    let s = i64.sgn d
    in (s i64.* n i64./ g, s i64.* d i64./ g)
  def ((a, b): t) + ((c, d): t) = norm (i64.(a * d + c * b, b * d))
  def ((a, b): t) - ((c, d): t) = norm (i64.(a * d - c * b, b * d))
  def ((a, b): t) * ((c, d): t) = norm (i64.(a * c, b * d))
  def ((a, b): t) / ((c, d): t) = norm (i64.(a * d, b * c))
  def lit (x: f64) : t = norm (i64.f64 (x f64.* 1000), 1000)
  def show = norm
}
module interval : {
  include num
  val mk : f64 -> f64 -> t
  val lo : t -> f64
  val hi : t -> f64
} = {
  type t = {lo: f64, hi: f64}
  def mk lo hi : t = {lo, hi}
  def lo (x: t) = x.lo
  def hi (x: t) = x.hi
  def lit x : t = {lo = x, hi = x}
  local def of4 (xs: [4]f64) : t = {lo = f64.minimum xs, hi = f64.maximum xs}
  def (a: t) + (b: t) : t = {lo = a.lo f64.+ b.lo, hi = a.hi f64.+ b.hi}
  def (a: t) - (b: t) : t = {lo = a.lo f64.- b.hi, hi = a.hi f64.- b.lo}
  def (a: t) * (b: t) : t =
    f64.(of4 [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi])
  def (a: t) / (b: t) : t =
    f64.(of4 [a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi])
}
module poly (N: num) = {
  def horner [n] (cs: [n]N.t) (x: N.t) : N.t =
    foldr (\c acc -> c N.+ (x N.* acc)) (N.lit 0) cs
  def mul [n][m] (a: [n]N.t) (b: [m]N.t) : [n + m - 1]N.t =
    let size = n + m - 1
    in loop out = replicate size (N.lit 0) for i < n do
         loop out for j < m do
           out with [i + j] = copy (out[i + j] N.+ (a[i] N.* b[j]))
  def newton (f: N.t -> N.t) (f': N.t -> N.t) (k: i32) (x0: N.t) =
    loop x = x0 for _i < k do x N.- (f x N./ f' x)
}
module d1 = dual num_f64
module d2 = dual d1
module pf = poly num_f64
module pd = poly d1
module pdd = poly d2
module pr = poly rational
module pi_ = poly interval

-- ==
-- entry: value
-- input { } output { 17f64 }
entry value = pf.horner [1, 2, 3] 2

-- ==
-- entry: first
-- input { } output { 17f64 14f64 }
entry first =
  let r = pd.horner (map d1.lit [1, 2, 3]) (d1.var 2)
  in (d1.value r, d1.deriv r)

-- ==
-- entry: second
-- input { } output { 54f64 }
entry second = d1.deriv
                 (d2.deriv
                    (pdd.horner (map d2.lit [1, 2, 3, 4]) (d2.var (d1.var 2))))

-- ==
-- entry: ratio
-- input { } output { [3i64, 9i64, 2i64] [8i64, 20i64, 15i64] }
entry ratio =
  pr.mul [(1, 2), (1, 3)] [(3, 4), (2, 5)] |> map rational.show |> unzip

-- ==
-- entry: ival
-- input { } output { -1f64 1f64 }
entry ival =
  let r = pi_.horner (map interval.lit [1, -2, 1]) (interval.mk 0 1)
  in (interval.lo r, interval.hi r)

-- ==
-- entry: root2
-- input { } output { 1.4142135623730949f64 }
entry root2 = pf.newton (\x -> x * x - 2) (\x -> 2 * x) 6 1
