-- The discrete Fourier transform of 2**k complex numbers, which sorts itself on the way.
type complex = (f64, f64)

def add (a, b) (c, d) : complex = (a + c, b + d)
def sub (a, b) (c, d) : complex = (a - c, b - d)
def mul (a, b) (c, d) : complex = (a * c - b * d, a * d + b * c)

def stage [n] (roots: [n]complex) (xs: [n]complex) (s: i64) : [n]complex =
  let half = 1 << s
  in tabulate n (\o ->
       let k = o & (half - 1)
       let j = ((o >> (s + 1)) << s) + k
       let a = xs[j]
       let b = mul roots[k * (n / 2 >> s)] xs[j + n / 2]
       in if o & half == 0 then add a b else sub a b)

entry main [n] (re: [n]f64) (im: [n]f64) : [2][n]f64 =
  let turn = 2 * f64.pi / f64.i64 n
  let roots = tabulate n (\i -> (f64.cos (turn * f64.i64 i), -f64.sin (turn * f64.i64 i)))
  let stages = i64.i32 (63 - i64.clz n)
  let (re, im) = unzip (loop xs = zip re im for s < stages do stage roots xs s)
  in [re, im]
