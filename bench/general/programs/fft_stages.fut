-- Signals through a filter in the frequency domain: a transform of powers of two in place of stages
-- (Stockham), complex numbers as pairs; the energy that is left.
type complex = (f32, f32)

def add ((a, b): complex) ((c, d): complex) : complex = (a + c, b + d)
def sub ((a, b): complex) ((c, d): complex) : complex = (a - c, b - d)
def mul ((a, b): complex) ((c, d): complex) : complex = (a * c - b * d, a * d + b * c)

def fft [n] (bits: i64) (xs: [n]complex) : [n]complex =
  loop xs for s < bits do
    let half = 1 << s
    in map (\i ->
              let (k, block) = (i % half, i / (2 * half))
              let j = block * half + k
              let angle = -f32.pi * f32.i64 k / f32.i64 half
              let w = (f32.cos angle, f32.sin angle)
              let (a, b) = (xs[j], mul w xs[j + n / 2])
              in if (i / half) % 2 == 0 then add a b else sub a b)
           (iota n)

entry primal [b][n] (signal: [b][n]f32) (filter: [n]f32) (bits: i64) : f32 =
  let one x =
    let spectrum = fft bits (map (\v -> (v, 0)) x)
    in f32.sum (map2 (\(re, im) h -> let p = h * (re * re + im * im) in f32.log (1 + p)) spectrum filter)
  in f32.sum (map one signal) / f32.i64 (b * n)

entry gradient [b][n] (signal: [b][n]f32) (filter: [n]f32) (bits: i64) : ([b][n]f32, [n]f32) =
  vjp (\(s, f) -> primal s f bits) (signal, filter) 1
