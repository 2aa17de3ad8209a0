-- Where a hexadecimal float ends: names, fields, ranges and operators after it.
-- ==
-- entry: main
-- input { 2f64 } output { 14f64 10f64 6i64 [0.5f64, 1f64] }

-- ==
-- entry: suffixes
-- input {} output { 0x1f32 31 15f32 }

def p3 = 1i64
def twice (x: f64) = x * 2

entry main (x: f64) =
  (0x1.8p0_3+x, twice 0x1.4p2-0x0.0p0, 0x4+0x1+p3, [0x1.0p-1, 0x1.0p0_0])

-- no point: an integer; f32 is digits of it then
entry suffixes = (0x1f32, 0x1f, 0xf.0p0f32)
