-- Scans of operands that are computed from the index, one from the other; what follows needs the index, or one of
-- them.  Filters of such elements.  Each is held against a loop.
-- ==
-- entry: begun summed chosen
-- input { 1i64 } output { true }
-- input { 33i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 40009i64 } output { true }

def value (i: i64) : i64 = (i * 7919 + 13) % 1009 - 500

entry begun (n: i64) : bool =
  let op (f, x) (g, y) = (f || g, if g then y else x + y)
  let got = map (.1) (scan op (false, 0) (map (\i -> let x = value i in (x % 13 == 0, x)) (iota n)))
  let want = (loop (acc, out) = (0, replicate n 0) for i < n do
                let acc = if value i % 13 == 0 then value i else acc + value i
                in (acc, out with [i] = acc)).1
  in and (map2 (==) got want)

entry summed (n: i64) : bool =
  let got = map2 (\i s -> value i % 13 * 3 + s + i) (iota n) (scan (+) 0 (map value (iota n)))
  let want = (loop (acc, out) = (0, replicate n 0) for i < n do
                let acc = acc + value i
                in (acc, out with [i] = value i % 13 * 3 + acc + i)).1
  in and (map2 (==) got want)

entry chosen (n: i64) : bool =
  let got = filter (\x -> x % 3 == 1) (map value (iota n))
  let (k, want) = loop (k, out) = (0, replicate n 0) for i < n do
                    if value i % 3 == 1 then (k + 1, out with [k] = value i) else (k, out)
  in length got == k && and (map2 (==) (got :> [k]i64) (take k want))
