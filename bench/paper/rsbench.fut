-- Cross sections of neutrons from the poles of resonances: each lookup has an energy and a
-- material, and sums over the nuclides of the material, over the poles near the energy.
import "sample"

type complex = (f64, f64)

def (a: complex) <+> (b: complex) : complex = (a.0 + b.0, a.1 + b.1)
def (a: complex) <*> (b: complex) : complex = (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
def times (k: f64) (a: complex) : complex = (k * a.0, k * a.1)
def inverse (a: complex) : complex =
  let d = a.0 * a.0 + a.1 * a.1
  in (a.0 / d, -a.1 / d)
def (a: complex) </> (b: complex) : complex = a <*> inverse b
def i : complex = (0, 1)

-- An exponential by squaring, right only near zero.
def fast_exp (x: f64) : f64 =
  let y = 1 + x * 0.000244140625
  in loop y for _k < 12 do y * y

def near_a : [10]f64 =
  [2.758402e-01, 2.245740e-01, 1.594149e-01, 9.866577e-02, 5.324414e-02, 2.505215e-02, 1.027747e-02,
   3.676164e-03, 1.146494e-03, 3.117570e-04]
def near_d : [10]f64 =
  [9.869604e+00, 3.947842e+01, 8.882644e+01, 1.579137e+02, 2.467401e+02, 3.553058e+02, 4.836106e+02,
   6.316547e+02, 7.994380e+02, 9.869604e+02]

-- The Faddeeva function.
def faddeeva (z: complex) : complex =
  if f64.sqrt (z.0 * z.0 + z.1 * z.1) < 6
  then let e = times (fast_exp (-12 * z.1)) (f64.cos (12 * z.0), f64.sin (12 * z.0))
       let z2 = times (-144) (z <*> z)
       let sum =
         loop sum = (0, 0)
         for n < 10 do
           let sign = if n % 2 == 0 then -1 else 1
           in sum <+> times near_a[n]
                            ((times sign e <+> (-1, 0)) </> (z2 <+> (near_d[n], 0)))
       in (i <*> ((1, 0) <+> times (-1) e)) </> times 12 z <+> times 81.2433 (i <*> z <*> sum)
  else let z2 = z <*> z
       in i <*> z <*> (times 0.512424224754768462984 (inverse (z2 <+> (-0.275255128608410950901, 0)))
                       <+> times 0.051765358792987823964
                                 (inverse (z2 <+> (-2.724744871391589049099, 0))))

def phase (k0rs: f64) (e: f64) (l: i64) : complex =
  let phi = k0rs * f64.sqrt e
  let phi =
    match l
    case 0 -> phi
    case 1 -> phi + f64.atan phi
    case 2 -> phi - f64.atan (3 * phi / (3 - phi * phi))
    case _ -> phi - f64.atan (phi * (15 - phi * phi) / (15 - 6 * phi * phi))
  in (f64.cos (2 * phi), -f64.sin (2 * phi))

-- The data of nuclides: poles as four complex numbers (the pole itself and the residues of the
-- total, absorption and fission), their angular momenta, windows as three coefficients and a
-- range of poles.
def lookup [n][p][w][s]
           (num_nuclides: [12]i32) (nuclides: [12][s]i32) (densities: [12][s]f64)
           (num_windows: [n]i32) (coefficients: [n][w][3]f64) (ranges: [n][w][2]i32)
           (k0rs: [n][4]f64) (momenta: [n][p]i16)
           (poles: [n][p][4][2]f64)
           (i: i64) : [4]f64 =
  let (e, m) = sample i
  let micro nuclide =
    let windows = num_windows[nuclide]
    let at = i32.min (windows - 1) (i32.f64 (e / (1 / f64.i32 windows)))
    let phases = map (\l -> phase k0rs[nuclide, l] e l) (iota 4)
    let c = coefficients[nuclide, at]
    let (first, last) = (ranges[nuclide, at, 0], ranges[nuclide, at, 1])
    in loop (t, a, f) = (e * c[0], e * c[1], e * c[2])
       for k < i64.i32 (last - first) do
         let k = k + i64.i32 first
         let of x : complex = (poles[nuclide, k, x, 0], poles[nuclide, k, x, 1])
         let v = faddeeva (times 0.5 ((e, 0) <+> times (-1) (of 0)))
         in ( t + (of 1 <*> (v <*> phases[momenta[nuclide, k]])).0
            , a + (of 2 <*> v).0
            , f + (of 3 <*> v).0
            )
  let (t, a, f, x) =
    loop (ts, as, fs, xs) = (0, 0, 0, 0)
    for j < i64.i32 num_nuclides[m] do
      let d = densities[m, j]
      let (t, a, f) = micro nuclides[m, j]
      in (ts + d * t, as + d * a, fs + d * f, xs + d * (t - a))
  in [t, a, f, x]

entry primal [n][p][w][s]
             (lookups: i64)
             (num_nuclides: [12]i32) (nuclides: [12][s]i32) (densities: [12][s]f64)
             (num_windows: [n]i32) (coefficients: [n][w][3]f64) (ranges: [n][w][2]i32)
             (k0rs: [n][4]f64) (momenta: [n][p]i16)
             (poles: [n][p][4][2]f64) : [lookups][4]f64 =
  tabulate lookups
           (lookup num_nuclides nuclides densities num_windows coefficients ranges k0rs momenta poles)

entry gradient [n][p][w][s]
               (lookups: i64)
               (num_nuclides: [12]i32) (nuclides: [12][s]i32) (densities: [12][s]f64)
               (num_windows: [n]i32) (coefficients: [n][w][3]f64) (ranges: [n][w][2]i32)
               (k0rs: [n][4]f64) (momenta: [n][p]i16)
               (poles: [n][p][4][2]f64) (seed: [4]f64) : [n][p][4][2]f64 =
  vjp (primal lookups num_nuclides nuclides densities num_windows coefficients ranges k0rs momenta)
      poles (replicate lookups seed)
