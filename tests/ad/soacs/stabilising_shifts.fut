-- Extrema that are subtracted and added again, and such that are not: the derivative by the former
-- is zero, whatever the values between mention.
-- ==
-- entry: cancels
-- input { [1.0, 2.5, -0.5, 2.0] [0.3, -1.2, 0.7, 1.1] }
-- output {
--   [-0.2293366478068416f64, -0.2293366478068416f64, -0.2293366478068416f64, 
--   -6.891509607928645e-2f64, 0.3729702095225425f64, 6.284344021311168e-2f64, 
--   -0.516461966449014f64, 2.461837197557078e-2f64, 0.42900015426033156f64]
--   [2.3761361737254227f64, 2.0364166862955817f64, 0.21054314625654946f64, 1.4769039937224457f64]
--   [5.705777117146742e-2f64, -1.9817131560337893f64, 0.1888011287736183f64, 1.735854256088704f64]
-- }

-- ==
-- entry: stays
-- input { [1.0, 2.5, -0.5, 2.0] [0.3, -1.2, 0.7, 1.1] }
-- output {
--   [-1.4293366478068417f64, -0.4407254587884316f64, 0.9706633521931584f64, 1.669484711799093f64, 
--   5.699999999999999f64, -0.5999999999999999f64, -4.8f64]
--   [3.2183611864145996f64, 10.170764145876273f64, 4.946237708204127f64, 7.363495268254354f64]
--   [0.2320932377250664f64, -1.1978866236789667f64, 0.1492881642041118f64, 2.660765590916789f64]
-- }

def lse [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

-- What is not finite is not subtracted.
def guarded [n] (xs: [n]f64) : f64 =
  let top = f64.maximum xs
  let m = if f64.isinf top then 0 else top
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

def softmax [n] (xs: [n]f64) : [n]f64 =
  let m = f64.maximum xs
  let es = map (\x -> f64.exp (x - m)) xs
  let s = f64.sum es
  in map (/ s) es

-- With a loop instead of a sum.
def looped [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  let s = loop s = 0 for x in xs do s + f64.exp (x - m)
  in f64.log s + m

-- The smallest, squared and rooted.
def scaled [n] (xs: [n]f64) : f64 =
  let m = f64.minimum xs
  let a = f64.sum (map (\x -> f64.exp (m - x)) xs)
  let b = f64.sum (map (\x -> f64.exp (m - 2 * x + m)) xs)
  in f64.sqrt b / a

-- Only some of the elements.
def masked [n] (xs: [n]f64) : f64 =
  let ys = map2 (\i x -> if i % 2 == 0 then x else -f64.inf) (iota n) xs
  let m = f64.maximum ys
  in m + f64.log (f64.sum (map (\y -> if y == -f64.inf then 0 else f64.exp (y - m)) ys))

def cancelling [n] (xs: [n]f64) : [5 + n]f64 =
  [lse xs, guarded xs, looped xs, scaled xs, masked xs] ++ softmax xs

-- Added twice; in another base; of other things; as a factor; a sum of shifted values; an element
-- beside them; the iterations of a loop add it up.
def staying [n] (xs: [n]f64) : [7]f64 =
  let m = f64.maximum xs
  let s = f64.sum (map (\x -> f64.exp (x - m)) xs)
  let t = f64.sum (map (\x -> 2 ** (x - m)) xs)
  in [ m + m + f64.log s, m + f64.log t, f64.log s, m * f64.log s
     , f64.sum (map (\x -> x - m) xs), f64.sum (copy xs with [0] = m)
     , loop a = 0 for _x in xs do a + m ]

def hessian [n] [k] (f: [n]f64 -> [k]f64) (xs: [n]f64) (w: [k]f64) (ds: [n]f64) : [n]f64 =
  jvp (\xs -> vjp f xs w) xs ds

entry cancels [n] (xs: [n]f64) (ds: [n]f64) =
  let w = map (\i -> 1 + 0.3 * f64.i64 i) (iota (5 + n))
  in (jvp cancelling xs ds, vjp cancelling xs w, hessian cancelling xs w ds)

entry stays [n] (xs: [n]f64) (ds: [n]f64) =
  let w = map (\i -> 1 + 0.3 * f64.i64 i) (iota 7)
  in (jvp staying xs ds, vjp staying xs w, hessian staying xs w ds)
