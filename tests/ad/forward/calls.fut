-- Forward mode of functions that stay functions: recursion, arrays handed through, derivatives
-- inside of callees.
#[noinline]
def power (x: f64) (n: i64) : f64 = if n == 0 then 1 else x * power x (n - 1)
-- ==
-- entry: rec_scalar
-- input { 1.5 }
-- output { 7.59375f64 25.3125f64 50.625f64 67.5f64 }
entry rec_scalar (x: f64) =
  (jvp2 (\x -> power x 5) x 1,
   vjp (\x -> power x 5) x 2,
   jvp (\x -> jvp (\x -> power x 5) x 1) x 1)
#[noinline]
def fill [n] (a: *[n]f64) (i: i64) (x: f64) : *[n]f64 =
  if i == n then a else fill (a with [i] = x * f64.i64 i + (if i > 0 then a[i - 1] else 0)) (i + 1) x
-- ==
-- entry: rec_array
-- input { 1.5 }
-- output { [0.0f64, 1.5f64, 4.5f64, 9.0f64, 15.0f64] [0.0f64, 1.0f64, 3.0f64, 6.0f64, 10.0f64] }
entry rec_array (x: f64) = jvp2 (\x -> fill (replicate 5 1.0) 0 x) x 1
#[noinline]
def pick [n] (a: [n]f64) (i: i64) : [n]f64 = if i <= 0 then a else pick a (i - 1)
-- ==
-- entry: rec_alias
-- input { [1.5, 2.5] }
-- output { [56.25f64, 25.0f64] [525.0f64, 200.0f64] }
entry rec_alias (x: [2]f64) =
  let f (x: [2]f64) =
     let y = map (* 2) x
     let z = pick y 3
     let z' = copy z with [0] = z[1] * x[0]
     in map2 (*) z' z'
  in jvp2 f x [1, 10]
#[noinline]
def big (x: f64) (b: bool) : (f64, f64) = (x * x, if b then 3 else f64.floor x)
-- ==
-- entry: part
-- input { 1.5 }
-- output { 6.75f64 9.0f64 }
entry part (x: f64) = jvp2 (\x -> let (a, b) = big x true in a * b) x 1
#[noinline]
def collatz (x: f64) (n: i64) : f64 =
  if n <= 1 then x else if n % 2 == 0 then f64.sin (collatz (x * 2) (n / 2)) else x * collatz x (n - 1)
-- ==
-- entry: two_calls
-- input { 1.5 }
-- output { -1.4989613632929522f64 -8.490904749891814e-2f64 }
entry two_calls (x: f64) = jvp2 (\x -> collatz x 11) x 1
#[noinline]
def inner (x: f64) : f64 = jvp (\y -> y * y * x) x 1
-- ==
-- entry: hidden
-- input { 1.5 }
-- output { 4.5f64 6.0f64 3.0f64 6.0f64 }
entry hidden (x: f64) =
  (jvp2 inner x 1,
   vjp (with_vjp (\x -> inner x) (\_ c -> 3 * c)) x 1,
   jvp (with_vjp (\x -> inner x) (\_ c -> 3 * c)) x 1)
