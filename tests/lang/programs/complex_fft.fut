-- Complex numbers and the fast Fourier transform, over any kind of real.
module type complex = {
  type real
  type complex
  val mk : real -> real -> complex
  val re : complex -> real
  val im : complex -> real
  val + : complex -> complex -> complex
  val - : complex -> complex -> complex
  val * : complex -> complex -> complex
  val conj : complex -> complex
  val mag : complex -> real
  val zero : complex
}
module mk_complex (T: real) : (complex with real = T.t with complex = (T.t, T.t)) = {
  type real = T.t
  type complex = (T.t, T.t)
  def mk (a: real) (b: real) : complex = (a, b)
  def re ((a, _): complex) = a
  def im ((_, b): complex) = b
  def ((a, b): complex) + ((c, d): complex) : complex = T.((a + c, b + d))
  def ((a, b): complex) - ((c, d): complex) : complex = T.((a - c, b - d))
  def ((a, b): complex) * ((c, d): complex) : complex =
    T.((a * c - b * d, a * d + b * c))
  def conj ((a, b): complex) : complex = T.((a, i32 0 - b))
  def mag ((a, b): complex) = T.(sqrt (a * a + b * b))
  def zero : complex = (T.i32 0, T.i32 0)
}
module mk_fft (R: real) = {
  module c = mk_complex R
  type complex = c.complex
  local def radix = 2i64
  local def fft_iteration [n] (forward: R.t) (ns: i64) (data: [n]complex) (j: i64)
      : (i64, complex, i64, complex) =
    let (jm, nr) = (j %% ns, ns * radix)
    let angle = R.(neg forward * i32 2 * pi * i64 (jm) / i64 nr)
    let (v0, v1) = (data[j], data[j + n / radix] c.* (R.cos angle, R.sin angle))
    let (v0, v1) = (v0 c.+ v1, v0 c.- v1)
    let idxd = (j / ns * ns * radix) + (j % ns)
    in (idxd, v0, idxd + ns, v1)
  local def fft' [n]
      (forward: R.t)
      (input: [n]complex)
      (bits: i64) : [n]complex =
    let input = copy input
    let output = copy input
    let ix = iota (n / radix)
    let (input, _) =
      loop (input': *[n]complex, output': *[n]complex) = (input, output) for i < bits do
        let ns = radix ** i
        let (i0s, v0s, i1s, v1s) =
          unzip4 (map (fft_iteration forward ns input') ix)
        in (scatter output' (i0s ++ i1s) (v0s ++ v1s), input')
    in input
  local def log2 (n: i64) : i64 = i64.i32 (63 - i64.clz n)
  local def generic [n] (forward: bool) (data: [n]complex) : [n]complex =
    let n_bits = log2 n
    let forward' = R.bool forward R.- R.bool (!forward)
    in assert (n == 2 ** n_bits) (fft' forward' data n_bits)
  def fft [n] (data: [n]complex) = generic true data
  def ifft [n] (data: [n]complex) =
    let f = R.i64 n in map (\(a, b) -> R.((a / f, b / f))) (generic false data)
  def convolve [n] (xs: [n]R.t) (ys: [n]R.t) : [n]R.t =
    let f zs = fft (map (\z -> c.mk z (R.i32 0)) zs)
    in map c.re (ifft (map2 (c.*) (f xs) (f ys)))
}
module fft = mk_fft f64
module c64 = mk_complex f64

-- ==
-- entry: roundtrip
-- input { } output { [0f64, 1f64, 2f64, 3f64, 4f64, 5f64, 6f64, 7f64] }
entry roundtrip =
  fft.fft (map (\i -> (f64.i64 i, 0)) (iota 8))
  |> fft.ifft
  |> map (.0)
  |> map f64.round

-- ==
-- entry: spectrum
-- input { } output { [1f64, 1f64, 1f64, 1f64] }
entry spectrum = fft.fft [(1, 0), (0, 0), (0, 0), (0, 0)] |> map c64.mag

-- ==
-- entry: conv
-- input { } output { [4f64, 13f64, 28f64, 27f64, 18f64, 0f64, 0f64, 0f64] }
entry conv =
  fft.convolve [1, 2, 3, 0, 0, 0, 0, 0] [4, 5, 6, 0, 0, 0, 0, 0]
  |> map f64.round

-- ==
-- entry: bad
-- input { } error: Assertion is false: \(n == 2 \*\* n_bits\)
entry bad = fft.fft [(1, 0), (0, 0), (0, 0)] |> map c64.re
