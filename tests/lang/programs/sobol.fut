-- Sobol points: independent formula and recursive one by a scan.
-- ==
-- input { 9i64 }
-- output { [[0.0f64, 0.0f64], [0.5f64, 0.5f64], [0.75f64, 0.25f64], [0.25f64, 0.75f64], [0.375f64, 0.375f64], [0.875f64, 0.875f64], [0.625f64, 0.125f64], [0.125f64, 0.625f64], [0.1875f64, 0.3125f64]] }

-- ==
-- entry: scanned
-- input { 9i64 }
-- output { [[0.0f64, 0.0f64], [0.5f64, 0.5f64], [0.75f64, 0.25f64], [0.25f64, 0.75f64], [0.375f64, 0.375f64], [0.875f64, 0.875f64], [0.625f64, 0.125f64], [0.125f64, 0.625f64], [0.1875f64, 0.3125f64]] }

def directions : [2][32]u32 =
  let ones = replicate 32 1u32
  let m = loop m = replicate 32 1u32 for i in 1..<32 do m with [i] = (2 * m[i - 1]) ^ m[i - 1]
  let shift v i = v << (31 - u32.i64 i)
  in [map2 shift ones (iota 32), map2 shift m (iota 32)]

def gray (i: u32) = i ^ (i >> 1)

def independent (i: i64) : [2]u32 =
  let g = gray (u32.i64 i)
  let pick dirs = reduce (^) 0 (map2 (\b d -> if (g >> u32.i64 b) & 1 == 1 then d else 0) (iota 32) dirs)
  in map pick directions

def recursive (n: i64) : [n][2]u32 =
  let change i = map (\d -> if i == 0 then 0 else d[i64.i32 (i64.ctz i)]) directions
  in scan (map2 (^)) (replicate 2 0) (map change (iota n))

def unit (x: u32) = f64.u32 x / 2 ** 32

entry main (n: i64) : [n][2]f64 = map (\i -> map unit (independent i)) (iota n)
entry scanned (n: i64) : [n][2]f64 = map (map unit) (recursive n)
