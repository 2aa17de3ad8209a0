-- Arrays that branches update in place, in loops: the branches get them lent, or leave records of
-- what they overwrite.  Reverse mode agrees with forward mode.
-- ==
-- entry: loop_in_branch read_after match_of_updates nested branch_fills two_of_one views_too one_of_two
-- input { [0.3, 0.9, 0.2, 0.8, 0.4, 0.7, 0.6] }
-- output { true }
-- input { [0.5] }
-- output { true }
-- input { [0.5, 0.25] }
-- output { true }

def agree [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let g = vjp f x 1
  let d = map (\i -> jvp f x (map (\j -> f64.bool (i == j)) (iota n))) (iota n)
  in and (map2 (\a b -> f64.abs (a - b) <= 1e-12 * (1 + f64.abs a)) g d)

def weighted [n] (a: [n]f64) = f64.sum (map2 (\i v -> f64.i64 (i + 1) * v) (iota n) a)

entry loop_in_branch [n] (x: [n]f64) = agree (\x ->
  let (a, b) = loop (a, b) = (copy x, copy x) for i < n do
    let at = (i * 5 + 3) % n
    in if i % 3 < 2
       then loop (a, b) for j < 3i64 do
         let u = a[at]
         let a[at] = 0.5 * u + 0.3 * u * b[(at + j) % n]
         in (a, b with [at] = 0.6 * b[at] * u + 0.2 * a[(at + 1) % n])
       else (a, b)
  in weighted a + f64.sum b) x

entry read_after [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i in 1..<n do
    let a = if i % 3 < 2 then a with [i] = a[i - 1] * a[i] else a with [i - 1] = 0.5 * a[i]
    let u = f64.sin a[i - 1]
    in a with [(i * 7) % n] = u * a[i])) x

type op = #add i64 | #mul i64 | #swap i64 i64 | #nop
entry match_of_updates [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    let o : op = if i % 4 == 0 then #add ((i * 7) % n)
                 else if i % 4 == 1 then #mul ((i * 3) % n)
                 else if i % 4 == 2 then #swap i ((i * 5) % n)
                 else #nop
    in match o
       case #add j -> a with [j] = a[j] + f64.sin a[i]
       case #mul j -> a with [j] = a[j] * (0.5 + 0.5 * a[i])
       case #swap p q -> let t = a[p] let a[p] = a[q] in a with [q] = t
       case #nop -> a)) x

entry nested [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    if i % 2 == 0
    then loop a for j < 4i64 do
      if (i + j) % 3 == 0 then a with [(i + j) % n] = a[i] * 0.5 + a[(i + j) % n]
      else let a[i] = f64.sin a[i]
           in loop a for h < 2i64 do
             let at = (i * j + h) % n
             in a with [at] = 0.9 * a[at] * a[i]
    else let v = a[i] in if v > 0.5 then a with [i] = v * v else a)) x

entry branch_fills [n] (x: [n]f64) = agree (\x ->
  (loop (have, c, acc) = (replicate 3 false, replicate 3 0, 0) for i < n do
    let j = (i * i + 3 * i) % 3
    let (have, c) = if have[j] then (have, c)
                    else (have with [j] = true, c with [j] = f64.exp (0.1 * x[i]))
    in (have, c, acc * 0.99 + c[j] * x[i])).2) x

-- Both branches consume; one gives another array.
entry two_of_one [n] (x: [n]f64) = agree (\x ->
  let (a, b) = loop (a, b) = (copy x, map (* 2) x) for i < n do
    let (u, v) = (a[i] * b[0], b[i])
    let (a, b) = if v > 0.9 then (b with [i] = u, a with [0] = v)
                 else (a with [i] = f64.cos a[i], b)
    let b[i] = b[i] * a[i]
    in (a, b)
  in weighted a + f64.sum b) x

-- Parts of an array that is updated are read before, between and after.
entry views_too [n] (x: [n]f64) = agree (\x ->
  let (a, s) = loop (a, s) = (copy x, 0) for i < n do
    let h = f64.sum (map (\v -> v * v) a[0:i])
    let a = if i % 2 == 0 then (let a[i] = a[i] * h + a[0] in a with [0] = a[i] * a[i]) else a
    in (a, s + h * f64.sum (map f64.sin a[i:]))
  in weighted a + s) x

-- Each branch updates another array; one of them by a loop, which its sweeps execute once more.
entry one_of_two [n] (x: [n]f64) = agree (\x ->
  let (a, b) = loop (a, b) = (copy x, map f64.cos x) for i < n do
    if i % 3 == 1
    then (a, b with [i] = b[n - 1 - i] * a[i])
    else (loop a for k < n do a with [k] = a[k] * b[i], b)
  in weighted a + f64.sum b) x
