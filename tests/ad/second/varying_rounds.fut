-- Second derivatives of loops with a number of rounds that depends on the argument, in all nestings of the two modes.
-- ==
-- entry: counted small_counter stripped while_ bounded nested inner_trips branched array tabulated scanned reversed downwards outside called
-- input { [0.05, 0.35, 0.95, 1.3] } output { true }
-- input { empty([0]f64) } output { true }

def near (a: f64) (b: f64) = f64.abs (a - b) <= 1e-10 * (1 + f64.abs a)

def agree (f: f64 -> f64) (v: f64) : bool =
  let second = jvp (\q -> jvp f q 1) v 1
  in near second (jvp (\q -> vjp f q 1) v 1) && near second (vjp (\q -> jvp f q 1) v 1)
     && near second (vjp (\q -> vjp f q 1) v 1)
     && near (jvp (\q -> jvp (\p -> jvp f p 1) q 1) v 1) (jvp (\q -> vjp (\p -> vjp f p 1) q 1) v 1)

entry counted [n] (xs: [n]f64) : bool =
  all (agree (\v -> loop a = v for j < i64.f64 (v * 5) do f64.sin a + v * f64.i64 j / 10)) xs

entry small_counter [n] (xs: [n]f64) : bool =
  all (agree (\v -> loop a = v for j < i32.f64 (v * 5) do f64.sin a + v * f64.i32 j / 10)) xs

entry stripped [n] (xs: [n]f64) : bool =
  all (agree (\v -> #[stripmine(2)] loop a = v for j < i64.f64 (v * 7) do f64.sin a + v * f64.i64 j / 10)) xs

entry while_ [n] (xs: [n]f64) : bool =
  all (agree (\v -> (loop (a, j) = (v, 0) while j < i64.f64 (v * 5) do (f64.sin a + v * f64.i64 j / 10, j + 1)).0)) xs

entry bounded [n] (xs: [n]f64) : bool =
  all (agree (\v -> (#[bound(4)] loop (a, j) = (v, 0) while j < i64.f64 (v * 5) do (f64.sin a + v * f64.i64 j / 10, j + 1)).0)) xs

entry nested [n] (xs: [n]f64) : bool =
  all (agree (\v -> loop a = v for j < i64.f64 (v * 3) do loop b = a for k < i64.f64 (v * 4) - j do f64.sin b * v + f64.i64 (j * k) / 10)) xs

entry inner_trips [n] (xs: [n]f64) : bool =
  all (agree (\v -> loop a = v for j < 4i64 do loop b = a for k < i64.f64 (a + 1.5) do f64.sin b + v * f64.i64 (j + k) / 10)) xs

entry branched [n] (xs: [n]f64) : bool =
  all (agree (\v -> loop a = v for j < i64.f64 (v * 5) do if j % 2 == 0 then f64.sin a + v * f64.i64 j else a * v / f64.i64 j)) xs

entry array [n] (xs: [n]f64) : bool =
  all (agree (\v -> let xs = loop xs = replicate 8 v for j < i64.f64 (v * 5) do xs with [j] = xs[j + 1] * f64.i64 j * f64.sin v in f64.sum xs)) xs

entry tabulated [n] (xs: [n]f64) : bool =
  all (agree (\v -> f64.sum (map (\j -> f64.sin (v * f64.i64 j)) (iota (i64.f64 (v * 5)))))) xs

entry scanned [n] (xs: [n]f64) : bool =
  all (agree (\v -> f64.sum (map2 (*) (scan (*) 1 (map (\j -> v + f64.i64 j / 10) (iota (i64.f64 (v * 5))))) (map f64.i64 (iota (i64.f64 (v * 5))))))) xs

entry reversed [n] (xs: [n]f64) : bool =
  all (agree (\v -> let n = i64.f64 (v * 5) in loop a = v for j in reverse (iota n) do f64.sin a + v * f64.i64 j / 10)) xs

entry downwards [n] (xs: [n]f64) : bool =
  all (agree (\v -> loop a = v for j in 6..5...1 do if j < i64.f64 (v * 5) then f64.sin a + v * f64.i64 j / 10 else a * v)) xs

-- The rounds depend on what is a constant to the inner derivative.
entry outside [n] (xs: [n]f64) : bool =
  all (\v ->
         let f w = vjp (\v -> loop a = v for j < i64.f64 (w * 5) do f64.sin a + v * f64.i64 j / 10) v 1
         let g w = jvp (\v -> loop a = v for j < i64.f64 (w * 5) do f64.sin a + v * f64.i64 j / 10) v 1
         in near (jvp f v 1) (jvp g v 1) && near (vjp f v 1) (jvp g v 1))
      xs

-- Functions that are called are differentiated together with what calls them.
#[noinline] def rounds (v: f64) = loop a = v for j < i64.f64 (v * 5) do f64.sin a + v * f64.i64 j / 10
#[noinline] def by_vjp (q: f64) = vjp (\v -> loop a = v for j < i32.f64 (v * 5) do f64.sin a + v * f64.i32 j / 10) q 1

entry called [n] (xs: [n]f64) : bool =
  all (agree rounds) xs && all (\v -> near (jvp by_vjp v 1) (jvp (\q -> jvp rounds q 1) v 1)) xs
