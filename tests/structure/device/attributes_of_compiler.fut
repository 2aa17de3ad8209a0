-- Attributes that mean something to passes alone mean nothing in a program: this loop stays a
-- sequential one, whatever it is called.
-- structure soac,gpu: loop.kernel 1, loop.blocks 0, loop.threads 0, loop.atomic 0
-- ==
-- input { 6i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] }
#[operator] #[apart] #[region]
def plus (a: i64) (b: i64) : i64 = #[trusted] #[reduce] (a + b)

entry main (n: i64) : [n]i64 =
  #[blocks] #[threads] #[atomic] #[threshold(none)]
  loop ys = replicate n 0i64 for i < n - 1 do ys with [i + 1] = plus ys[i] 1
