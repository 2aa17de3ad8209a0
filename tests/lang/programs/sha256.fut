-- SHA-256. The constants are the fractional parts of cube roots of primes, found by bisection.
-- ==
-- entry: sha256
-- input { "abc" }
-- output { [0xba7816bfu32, 0x8f01cfeau32, 0x414140deu32, 0x5dae2223u32,
--           0xb00361a3u32, 0x96177a9cu32, 0xb410ff61u32, 0xf20015adu32] }
-- input { "" }
-- output { [0xe3b0c442u32, 0x98fc1c14u32, 0x9afbf4c8u32, 0x996fb924u32,
--           0x27ae41e4u32, 0x649b934cu32, 0xa495991bu32, 0x7852b855u32] }
-- input { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq" }
-- output { [0x248d6a61u32, 0xd20638b8u32, 0xe5c02693u32, 0x0c3e6039u32,
--           0xa33ce459u32, 0x64ff2167u32, 0xf6ecedd4u32, 0x19db06c1u32] }

def primes : [64]u64 =
  (loop (ps, c, n) = (replicate 64 0u64, 0i64, 2u64) while c < 64 do
     let prime = loop b = true for i < c do b && n % ps[i] != 0
     in if prime then (ps with [c] = n, c + 1, n + 1) else (ps, c, n + 1)).0

-- The largest x with x^3 <= p * 2^96, in 128 bits; of it the lower 32.
def cube_root (p: u64) : u32 =
  let (lo, _) =
    loop (lo, hi) = (0u64, 1u64 << 36) while hi - lo > 1 do
      let mid = (lo + hi) / 2
      let square = mid * mid
      let low = square * mid
      let high = u64.mul_hi square mid + u64.mul_hi mid mid * mid
      let wanted = p << 32
      in if high < wanted || (high == wanted && low == 0)
         then (mid, hi)
         else (lo, mid)
  in u32.u64 lo

def k : [64]u32 = map cube_root primes

def rotr (x: u32) (n: u32) = (x >> n) | (x << (32 - n))
type st = (u32, u32, u32, u32, u32, u32, u32, u32)
def block (h: st) (w0: [16]u32) : st =
  let w =
    loop w = w0 ++ replicate 48 0 for j < 48i64 do
      let i = j + 16
      let s0 = rotr w[i - 15] 7 ^ rotr w[i - 15] 18 ^ (w[i - 15] >> 3)
      let s1 = rotr w[i - 2] 17 ^ rotr w[i - 2] 19 ^ (w[i - 2] >> 10)
      in w with [i] = w[i - 16] + s0 + w[i - 7] + s1
  let (a, b, c, d, e, f, g, hh) =
    loop (a, b, c, d, e, f, g, h) = h for i < 64i64 do
      let s1 = rotr e 6 ^ rotr e 11 ^ rotr e 25
      let ch = (e & f) ^ (!e & g)
      let t1 = h + s1 + ch + k[i] + w[i]
      let s0 = rotr a 2 ^ rotr a 13 ^ rotr a 22
      let maj = (a & b) ^ (a & c) ^ (b & c)
      in (t1 + s0 + maj, a, b, c, d + t1, e, f, g)
  in (h.0 + a, h.1 + b, h.2 + c, h.3 + d, h.4 + e, h.5 + f, h.6 + g, h.7 + hh)
entry sha256 [n] (msg: [n]u8) : [8]u32 =
  let blocks = (n + 8) / 64 + 1
  let bytes = tabulate (blocks * 64) (\i ->
                                        if i < n then msg[i] else if i == n then 0x80
                                        else if i >= blocks * 64 - 8 then u8.i64
                                                                            ((n
                                                                              * 8)
                                                                             >> (8
                                                                                 * (blocks
                                                                                    * 64
                                                                                    - 1
                                                                                    - i))) else 0)
  let word (q: [4]u8) = foldl (\a b -> a << 8 | u32.u8 b) 0 q
  let words = unflatten (map word (unflatten (bytes :> [(blocks * 16) * 4]u8)))
  let h0 : st =
    ( 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
    , 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
    )
  let (a, b, c, d, e, f, g, h) = loop h = h0 for w in words do block h w
  in [a, b, c, d, e, f, g, h]
