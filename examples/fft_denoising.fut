-- # Removing noise with a Fourier transform
--
-- A signal and noise: which frequencies are to be kept? The amplification of each band is a parameter, learned from sixteen pairs
-- of noisy and clean signals, then used on another signal. The loss is a sum of squares over the bands, so one step of Newton's method with the gradient
-- through the transform there and back, and the diagonal of the Hessian by a `jvp` of it, is enough. The fast Fourier transform is a
-- loop of maps with complex numbers as pairs; nothing in it mentions derivatives.
-- ==
-- entry: main
-- input { 9i64 1i64 } output { 0.361187 0.011595 }

import "lib/random"

type complex = (f64, f64)

def mul (a: complex) (b: complex) : complex = (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)

-- The transform of `n = 2^bits` numbers (Stockham's algorithm: no reordering), `sign` is -1 there and 1 back.

def fft [n] (bits: i64) (sign: f64) (xs: [n]complex) : [n]complex =
  loop xs for s < bits do
    let half = n / 2
    let block = 1 << s
    in tabulate n (\i ->
                     let (k, j) = (i / (2 * block), i % (2 * block))
                     let (a, b) = (xs[k * block + j % block], xs[half + k * block + j % block])
                     let phi = sign * f64.pi * f64.i64 j / f64.i64 block
                     let t = mul (f64.cos phi, f64.sin phi) b
                     in (a.0 + t.0, a.1 + t.1))

def bands : i64 = 16

-- Filters a signal: the gain of frequency f is that of its band; bands are wider for higher frequencies.

def band (n: i64) (i: i64) : i64 =
  let f = i64.min i (n - i)
  in i64.min (bands - 1) (i64.f64 (2 * f64.log2 (1 + f64.i64 f)))

def denoise [n] (bits: i64) (gains: [bands]f64) (signal: [n]f64) : [n]f64 =
  let spectrum = fft bits (-1) (map (\x -> (x, 0)) signal)
  let filtered = map2 (\c i -> let g = gains[band n i] in (g * c.0, g * c.1)) spectrum (iota n)
  in map (\c -> c.0 / f64.i64 n) (fft bits 1 filtered)

def clean (n: i64) (seed: i64) : [n]f64 =
  let wave k = (0.4 + uniform seed k, 1 + f64.floor (12 * uniform (seed + 1) k), 6.28 * uniform (seed + 2) k)
  let waves = map wave (iota 4)
  in tabulate n (\i -> f64.sum (map (\(a, f, p) -> a * f64.sin (6.283185307 * f * f64.i64 i / f64.i64 n + p)) waves))

def noisy (n: i64) (seed: i64) : [n]f64 = map2 (\x e -> x + 0.6 * e) (clean n seed) (normals n (seed + 3))

def error [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (\x y -> (x - y) ** 2) xs ys) / f64.i64 n

def learn (bits: i64) (steps: i64) : [bands]f64 =
  let n = 1 << bits
  let one gains k = error (denoise bits gains (noisy n (100 * k))) (clean n (100 * k))
  let loss gains = f64.sum (map (one gains) (1...16))
  in loop gains = replicate bands 1
     for _i < steps do
       let (g, h) = jvp2 (\x -> vjp loss x 1) gains (replicate bands 1)
       in map3 (\x d c -> if c > 0 then x - d / c else x) gains g h

-- The mean squared error of another signal, before and after:

entry main (bits: i64) (steps: i64) : (f64, f64) =
  let n = 1 << bits
  let signal = noisy n 50
  in (error signal (clean n 50), error (denoise bits (learn bits steps) signal) (clean n 50))

-- > main 9i64 1i64

-- The gains that it learned, by band (low frequencies are kept, high ones are not):

-- > learn 9i64 1i64

def times (n: i64) : [n]f64 = tabulate n (\i -> f64.i64 i / f64.i64 n)
def shown_noisy (n: i64) : ([n]f64, [n]f64) = (times n, noisy n 50)
def shown_clean (n: i64) : ([n]f64, [n]f64) = (times n, clean n 50)

def shown_result (bits: i64) (steps: i64) : ([]f64, []f64) =
  let n = 1 << bits
  in (times n, denoise bits (learn bits steps) (noisy n 50))

-- > :gnuplot {noisy=shown_noisy 512i64, result=shown_result 9i64 1i64, clean=shown_clean 512i64};
-- set key inside top right
-- plot noisy with lines lc rgb '#bbbbbb' title 'noisy', clean with lines lw 2 lc rgb '#222222' title 'clean', result with lines lw 2 lc rgb '#e41a1c' title 'filtered'
