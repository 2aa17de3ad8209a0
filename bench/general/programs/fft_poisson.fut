-- Poisson's equation on a torus: transforms of rows and columns with a table of roots, a division by
-- eigenvalues, and back.  Complex numbers are a module, real and imaginary parts separate arrays inside.
module type number = { type t val zero : t val + : t -> t -> t val - : t -> t -> t val * : t -> t -> t }

module complex = {
  type t = {re: f64, im: f64}
  def zero : t = {re = 0, im = 0}
  def (x: t) + (y: t) : t = {re = x.re f64.+ y.re, im = x.im f64.+ y.im}
  def (x: t) - (y: t) : t = {re = x.re f64.- y.re, im = x.im f64.- y.im}
  def (x: t) * (y: t) : t =
    {re = x.re f64.* y.re f64.- x.im f64.* y.im, im = x.re f64.* y.im f64.+ x.im f64.* y.re}
}

module transform (C: number) = {
  -- Decimation in time with the root e(k / n) given by a table.
  def run [n] (bits: i64) (roots: [n]C.t) (xs: [n]C.t) : [n]C.t =
    loop xs for s < bits do
      let half = 1 << s
      in tabulate n (\i ->
                       let k = i % half
                       let j = (i / (2 * half)) * half + k
                       let (w, a, b) = (roots[k * (n / (2 * half))], xs[j], xs[j + n / 2])
                       let t = C.(w * b)
                       in if (i / half) % 2 == 0 then C.(a + t) else C.(a - t))
}

module fft = transform complex

def roots (n: i64) (sign: f64) : [n]complex.t =
  tabulate n (\k ->
                let a = sign * 2 * f64.pi * f64.i64 k / f64.i64 n
                in {re = f64.cos a, im = f64.sin a})

def both [n] (bits: i64) (sign: f64) (x: [n][n]complex.t) : [n][n]complex.t =
  let r = roots n sign
  in x |> map (fft.run bits r) |> transpose |> map (fft.run bits r) |> transpose

entry primal [n] (source: [n][n]f64) (bits: i64) : f64 =
  let spectrum = both bits (-1) (map (map (\v -> {re = v, im = 0})) source)
  let eigen i = 2 - 2 * f64.cos (2 * f64.pi * f64.i64 i / f64.i64 n)
  let scaled =
    tabulate_2d n n (\i j ->
                       let f = 1 / ((eigen i + eigen j + 0.1) * f64.i64 (n * n))
                       in {re = f * spectrum[i, j].re, im = f * spectrum[i, j].im})
  let u = both bits 1 scaled
  in f64.sum (flatten (map (map (\c -> c.re ** 3 + c.re ** 2)) u))

entry gradient [n] (source: [n][n]f64) (bits: i64) : [n][n]f64 = vjp (\s -> primal s bits) source 1
