-- Engines and distributions of random numbers as modules.
module type rng_engine = {
  module int : integral
  type rng
  val rng_from_seed [n] : [n]i32 -> rng
  val split_rng : (n: i64) -> rng -> [n]rng
  val join_rng [n] : [n]rng -> rng
  val rand : rng -> (rng, int.t)
  val min : int.t
  val max : int.t
}
module linear_congruential_engine (T: integral) (P: {
      val a : T.t
      val c : T.t
      val m : T.t
    })
  : rng_engine with int.t = T.t with rng = T.t = {
  type t = T.t
  type rng = t
  module int = T
  def rand (x: rng) : (rng, t) =
    let x' = (P.a T.* x T.+ P.c) T.%% P.m
    in (x', x')
  def hash (x: i32) : i32 =
    let x = u32.i32 x
    let x = ((x >> 16) ^ x) * 0x45d9f3b
    let x = ((x >> 16) ^ x) * 0x45d9f3b
    let x = (x >> 16) ^ x
    in i32.u32 x
  def rng_from_seed [n] (seed: [n]i32) =
    let seed' =
      loop s = 1 for i < n do
        u32.(((s >> 16) ^ s) * (i32 seed[i] ^ 5461))
    in (rand (T.u32 seed')).0
  def split_rng (n: i64) (x: rng) : [n]rng =
    map (\i -> let z = hash (i32.i64 i) in x T.^ T.i32 (i32.abs z)) (iota n)
  def join_rng [n] (xs: [n]rng) : rng = reduce (T.^) (T.i32 0) xs
  def min = T.i32 0
  def max = P.m T.- T.i32 1
}
module minstd_rand = linear_congruential_engine u32 {
  def a = 48271u32
  def c = 0u32
  def m = 2147483647u32
}
module type rng_distribution = {
  module engine : rng_engine
  module num : numeric
  type distribution
  val rand : distribution -> engine.rng -> (engine.rng, num.t)
}
module uniform_int_distribution (D: integral) (E: rng_engine)
  : rng_distribution with num.t = D.t with engine.rng = E.rng with distribution = ( D.t
                                                                                  , D.t
                                                                                  ) = {
  def to_D (x: E.int.t) = D.u64 (u64.i64 (E.int.to_i64 x))
  module engine = E
  module num = D
  type distribution = (D.t, D.t)
  def uniform (lo: D.t) (hi: D.t) : distribution = (lo, hi)
  open {
    def rand ((min, max): distribution) (rng: E.rng) =
      let min' = min let max' = max
      let range = max' D.- min' D.+ D.i32 1
      let (rng, x) = E.rand rng
      in (rng, min D.+ (to_D x D.%% range))
  }
}
module uniform_real_distribution (R: real) (E: rng_engine)
  : rng_distribution with num.t = R.t with engine.rng = E.rng with distribution = ( R.t
                                                                                  , R.t
                                                                                  ) = {
  module engine = E
  module num = R
  type distribution = (num.t, num.t)
  def to_R (x: E.int.t) = R.u64 (u64.i64 (E.int.to_i64 x))
  def rand ((min_r, max_r): distribution) (rng: E.rng) =
    let (rng', x) = E.rand rng
    let x' = R.((to_R x - to_R E.min) / (to_R E.max - to_R E.min))
    in (rng', R.(min_r + x' * (max_r - min_r)))
}
module normal_distribution (R: real) (E: rng_engine)
  : rng_distribution with num.t = R.t with engine.rng = E.rng with distribution = { mean: R.t
                                                                                  , stddev: R.t
                                                                                  } = {
  def to_R (x: E.int.t) = R.u64 (u64.i64 (E.int.to_i64 x))
  module engine = E
  module num = R
  type distribution = {mean: num.t, stddev: num.t}
  open R
  def rand ({mean, stddev}: distribution) (rng: engine.rng) =
    let (rng, u1) = E.rand rng
    let (rng, u2) = E.rand rng
    let u1 = (to_R u1 - to_R E.min + i32 1) / (to_R E.max - to_R E.min + i32 1)
    let u2 = (to_R u2 - to_R E.min) / (to_R E.max - to_R E.min)
    let r = sqrt (i32 (-2) * log u1)
    let theta = i32 2 * pi * u2
    in (rng, mean + stddev * (r * cos theta))
}
module shuffle_order (K: { val k : i64 }) (E: rng_engine) : rng_engine with int.t = E.int.t = {
  type t = E.int.t
  module int = E.int
  type rng = ([K.k]t, E.rng)
  def build (r: E.rng) : rng =
    let (xs, r) =
      loop (arr, r) = (replicate K.k (E.int.i32 0), r) for i < K.k do
        let (r, x) = E.rand r in (arr with [i] = x, r)
    in (xs, r)
  def rng_from_seed [n] (s: [n]i32) = build (E.rng_from_seed s)
  def split_rng (n: i64) ((_, r): rng) : [n]rng = map build (E.split_rng n r)
  def join_rng [n] (rngs: [n]rng) : rng =
    let (_, rs) = unzip rngs in build (E.join_rng rs)
  def rand ((x, rng): rng) : (rng, int.t) =
    let (rng, i) = E.rand rng
    let i = i64.u64 (u64.i64 (int.to_i64 i)) %% K.k
    let (rng, y) = E.rand rng
    in ((copy x with [i] = y, rng), x[i])
  def min = E.min
  def max = E.max
}
module sh = shuffle_order { def k = 16i64 } minstd_rand
module d1 = uniform_int_distribution i32 minstd_rand
module d2 = uniform_real_distribution f64 sh
module d3 = normal_distribution f32 minstd_rand

-- ==
-- entry: ints
-- input { } output { [4i32, 1i32, 6i32, 2i32, 3i32, 2i32, 4i32, 1i32, 6i32, 1i32] }
entry ints : []i32 =
  let rng = minstd_rand.rng_from_seed [42, 7]
  let (_, xs) =
    loop (rng, xs) = (rng, replicate 10 0) for i < 10 do
      let (rng, x) = d1.rand (1, 6) rng in (rng, xs with [i] = x)
  in xs

-- ==
-- entry: reals
-- input { }
-- output {
--   [-0.012862309825478424f64, -0.74726282781666409f64, 0.11025218303338824f64,
--   -0.76775508259213998f64, -0.24592961486981213f64, -0.097787456678028684f64,
--   0.64224410861939574f64, -0.93351456796146426f64]
-- }
entry reals : [8]f64 =
  sh.rng_from_seed [1] |> sh.split_rng 8 |> map (d2.rand (-1, 1)) |> map (.1)

-- ==
-- entry: norm
-- input { } output { 9f32 [7.86192608f32, 11.7923832f32, 10.1400461f32, 9.07591438f32] }
entry norm =
  let rngs = minstd_rand.(split_rng 1000 (rng_from_seed [3, 4, 5]))
  let xs = map (\r -> (d3.rand {mean = 10, stddev = 2} r).1) rngs
  let m = f32.sum xs / 1000
  in (f32.floor m, xs[:4])
