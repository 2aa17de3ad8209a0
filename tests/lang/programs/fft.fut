-- The fast Fourier transform, by recursion over a module of complex numbers and by Stockham passes.
-- ==
-- input { [0.292f64, -0.745f64, 0.377f64, -0.175f64, 1.779f64, 0.657f64, 0.806f64, 1.972f64] [1.502f64, 0.781f64, 0.32f64, 1.36f64, -0.104f64, -1.757f64, 0.589f64, 1.288f64] }
-- output { [4.963f64, 0.616343250880866f64, -2.7360000000000007f64, 0.10075414691291273f64, 1.5450000000000002f64, -4.1283432508808655f64, 4.511999999999999f64, -2.536754146912911f64] [3.979f64, 6.288247288837084f64, 2.3739999999999988f64, 1.9427966440250337f64, 0.6349999999999991f64, -2.2182472888370883f64, -1.3959999999999948f64, 0.41120335597497304f64] }

-- ==
-- entry: passes
-- input { [0.292f64, -0.745f64, 0.377f64, -0.175f64, 1.779f64, 0.657f64, 0.806f64, 1.972f64] [1.502f64, 0.781f64, 0.32f64, 1.36f64, -0.104f64, -1.757f64, 0.589f64, 1.288f64] }
-- output { [4.963f64, 0.616343250880866f64, -2.7360000000000007f64, 0.10075414691291273f64, 1.5450000000000002f64, -4.1283432508808655f64, 4.511999999999999f64, -2.536754146912911f64] [3.979f64, 6.288247288837084f64, 2.3739999999999988f64, 1.9427966440250337f64, 0.6349999999999991f64, -2.2182472888370883f64, -1.3959999999999948f64, 0.41120335597497304f64] }

module type complex_type = {
  type real
  type t
  val mk : real -> real -> t
  val re : t -> real
  val im : t -> real
  val + : t -> t -> t
  val - : t -> t -> t
  val * : t -> t -> t
}

module mk_complex (r: real) : complex_type with real = r.t = {
  type real = r.t
  type t = (r.t, r.t)
  def mk a b = (a, b)
  def re (a: t) = a.0
  def im (a: t) = a.1
  def (a: t) + (b: t) = (a.0 r.+ b.0, a.1 r.+ b.1)
  def (a: t) - (b: t) = (a.0 r.- b.0, a.1 r.- b.1)
  def (a: t) * (b: t) = ((a.0 r.* b.0) r.- (a.1 r.* b.1), (a.0 r.* b.1) r.+ (a.1 r.* b.0))
}

module c64 = mk_complex f64

def root (j: i64) (n: i64) =
  let a = -2 * f64.pi * f64.i64 j / f64.i64 n
  in c64.mk (f64.cos a) (f64.sin a)

def fft [n] (xs: [n]c64.t) : []c64.t =
  if n == 1 then xs
  else
    let h = n / 2
    let even = fft xs[::2] :> [h]c64.t
    let odd = fft xs[1::2] :> [h]c64.t
    let twisted = map2 (\j o -> root j n c64.* o) (iota h) odd
    in map2 (c64.+) even twisted ++ map2 (c64.-) even twisted

def stockham [n] (xs: [n]c64.t) : [n]c64.t =
  let (out, _) = loop (a, l) = (xs, 1) while l < n do
    let half = n / 2
    let butterfly i =
      let k = i % l
      let (u, v) = (a[i], root k (2 * l) c64.* a[i + half])
      let o = (i / l) * 2 * l + k
      in ((o, u c64.+ v), (o + l, u c64.- v))
    let (p, q) = unzip (tabulate half butterfly)
    let (is, vs) = unzip (p ++ q)
    in (scatter (copy a) is vs, 2 * l)
  in out

def parts [n] (xs: [n]c64.t) = (map c64.re xs, map c64.im xs)
entry main [n] (re: [n]f64) (im: [n]f64) = parts (fft (map2 c64.mk re im))
entry passes [n] (re: [n]f64) (im: [n]f64) = parts (stockham (map2 c64.mk re im))
