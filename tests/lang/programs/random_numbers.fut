-- Random number engines behind a module type, and an estimate of pi.
-- ==
-- entry: ints_lcg
-- input { 42i32 5i64 }
-- output { [1250496027u32, 1116302264u32, 1000676753u32, 1668674806u32, 908095735u32] }

-- ==
-- entry: ints_xorshift
-- input { 42i32 5i64 }
-- output { [45454805674u64, 11532217803599905471u64, 10021416941527320954u64, 2899061411254629736u64, 5661411637479084162u64] }

-- ==
-- entry: pi
-- input { 2000i32 }
-- output { 3.16f64 }

module type engine = {
  module int : integral
  type rng
  val seed : i32 -> rng
  val next : rng -> (rng, int.t)
  val max : int.t
}

module lcg : engine with int.t = u32 = {
  module int = u32
  type rng = u32
  def seed (s: i32) = u32.i32 s
  def next (s: rng) = let s = (s * 1103515245 + 12345) & 0x7fffffff in (s, s)
  def max = 0x7fffffffu32
}

module xorshift : engine with int.t = u64 = {
  module int = u64
  type rng = {state: u64}
  def seed (s: i32) = {state = u64.i32 s}
  def next ({state = s}: rng) =
    let s = s ^ (s << 13)
    let s = s ^ (s >> 7)
    let s = s ^ (s << 17)
    in ({state = s}, s)
  def max = u64.highest
}

module many (e: engine) = {
  def ints (s: i32) (n: i64) : [n]e.int.t =
    let out = replicate n (e.int.i32 0)
    let (_, out) = loop (g, out) = (e.seed s, out) for i < n do
      let (g, x) = e.next g
      in (g, out with [i] = x)
    in out
  def unit (g: e.rng) : (e.rng, f64) =
    let (g, x) = e.next g
    in (g, f64.i64 (e.int.to_i64 x) / (f64.i64 (e.int.to_i64 e.max) + 1))
}

module many_lcg = many lcg
module many_xorshift = many xorshift

entry ints_lcg (s: i32) (n: i64) = many_lcg.ints s n
entry ints_xorshift (s: i32) (n: i64) = many_xorshift.ints s n

entry pi (n: i32) : f64 =
  let (_, hits) = loop (g, hits) = (lcg.seed 42, 0i32) for _i < n do
    let (g, x) = many_lcg.unit g
    let (g, y) = many_lcg.unit g
    in (g, hits + i32.bool (x * x + y * y < 1))
  in 4 * f64.i32 hits / f64.i32 n
