-- What xsbench and rsbench share: the random energy and material of a lookup.
def multiplier = 2806196910506780709u64
def next (s: u64) : u64 = (multiplier * s + 1) & 0x7fffffffffffffff
def uniform (s: u64) : f64 = f64.u64 s / 9223372036854775808

-- The state after n more numbers.
def skip (s: u64) (n: u64) : u64 =
  let (_, _, _, an, cn) =
    loop (a, c, n, an, cn) = (multiplier, 1, n, 1, 0)
    while n > 0 do
      let (an, cn) = if n & 1 == 1 then (an * a, cn * a + c) else (an, cn)
      in (a * a, c * (a + 1), n >> 1, an, cn)
  in (an * s + cn) & 0x7fffffffffffffff

def shares : [12]f64 =
  [0.140, 0.052, 0.275, 0.134, 0.154, 0.064, 0.066, 0.055, 0.008, 0.015, 0.025, 0.013]

def material (roll: f64) : i64 =
  let (m, _) =
    loop (m, sum) = (1, shares[1])
    while m < 12 && roll >= sum do
      (m + 1, if m < 11 then sum + shares[m + 1] else sum)
  in if m == 12 then 0 else m

def sample (i: i64) : (f64, i64) =
  let s = next (skip 1070 (2 * u64.i64 i))
  in (uniform s, material (uniform (next s)))
