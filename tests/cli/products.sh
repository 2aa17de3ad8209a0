#!/bin/sh
# Sums of products: however they are written, the generated code hands them to the run-time, which packs and tiles
# them; what is no product of matrices is not.
here=$(cd "$(dirname "$0")/../.." && pwd)
. "$here/tests/cli/lib.sh"

# How many products there are in the program on standard input.
products() {
	about "$2"
	{
		echo 'def dot [n] (x: [n]f32) (y: [n]f32) : f32 = f32.sum (map2 (*) x y)'
		echo 'def matmul [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 = map (\x -> map (dot x) (transpose b)) a'
		cat
	} >prog.fut
	run raido c --library prog.fut
	exits 0
	n=$(grep -cE 'rd_product_f(32|64)\(ctx->cancel, &' prog.c)
	if [ "$n" -eq "$1" ]; then ok; else not_ok "$n products, not $1"; fi
}

products 1 "as the definition has it" <<'END'
entry main [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 = matmul a b
END
products 1 "transposed" <<'END'
entry main [n][m][p] (a: [m][n]f32) (b: [p][m]f32) : [p][n]f32 = transpose (matmul (transpose a) (transpose b))
END
products 1 "indices" <<'END'
entry main [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  tabulate_2d n p (\i j -> loop s = 0 for k < m do s + a[i, k] * b[k, j])
END
products 1 "columns" <<'END'
entry main [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 = map (\x -> map (\j -> dot x b[:, j]) (iota p)) a
END
products 1 "in place" <<'END'
entry main [n][m][p] (a: [n][m]f64) (b: [m][p]f64) (c: *[n][p]f64) : [n][p]f64 =
  loop c for i < n do loop c for k < m do loop c for j < p do c with [i, j] = c[i, j] + a[i, k] * b[k, j]
END
products 1 "outer products" <<'END'
entry main [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  loop c = replicate n (replicate p 0) for k < m do map2 (\r x -> map2 (\y z -> y + x * z) r b[k]) c a[:, k]
END
products 1 "batches" <<'END'
entry main [q][n][m][p] (a: [q][n][m]f32) (b: [q][m][p]f32) : [q][n][p]f32 = map2 matmul a b
END
products 1 "bias before, function after" <<'END'
entry main [n][m][p] (a: [n][m]f32) (w: [p][m]f32) (b: [p]f32) : [n][p]f32 =
  map (\x -> map2 (\r c -> f32.tanh (c + dot r x)) w b) a
END
products 1 "the sum begins with the bias" <<'END'
entry main [n][m][p] (a: [n][m]f64) (w: [p][m]f64) (b: [p]f64) : [n][p]f64 =
  map (\x -> loop y = copy b for i < p do
         let s = loop s = y[i] for j < m do s + w[i, j] * x[j] in y with [i] = f64.max 0 s) a
END
products 2 "layers, a row at a time" <<'END'
entry main [n][m][p][q] (a: [n][m]f32) (w: [p][m]f32) (v: [q][p]f32) : f32 =
  f32.sum (map (\x -> f32.maximum (map (dot (map (\r -> f32.exp (dot r x)) w)) v)) a)
END
products 2 "two sums with a factor in common" <<'END'
entry main [n][m][p] (a: [n][m]f32) (b: [p][m]f32) (c: [p][m]f32) : [n][p]f32 =
  map (\x -> map2 (\y z -> f32.tanh (dot x y) * dot x z) b c) a
END
products 1 "a factor that is computed" <<'END'
entry main [n][m][p] (a: [n][m]f32) (b: [n][p]f32) : [m][p]f32 =
  map (\x -> map (\y -> f32.sum (map2 (\x y -> (1 - x) * (1 + x) * y) x y)) (transpose b)) (transpose a)
END
products 2 "derivatives of a product" <<'END'
entry main [n][m][p] (a: [n][m]f32) (b: [m][p]f32) (c: [n][p]f32) : ([n][m]f32, [m][p]f32) =
  vjp (\(a, b) -> matmul a b) (a, b) c
END
products 5 "derivatives of layers, a row at a time" <<'END'
entry main [n][m][p][q] (a: [n][m]f32) (w: [p][m]f32) (v: [q][p]f32) : ([p][m]f32, [q][p]f32) =
  let loss w v x = let h = map (\r -> f32.tanh (dot r x)) w in f32.sum (map (\r -> let s = dot r h in s * s) v)
  in vjp (\(w, v) -> f32.sum (map (loss w v) a)) (w, v) 1
END
products 2 "two sums in place, in one nest" <<'END'
entry main [n][m][p] (a: [n][m]f64) (b: [m][p]f64) (e: [m][p]f64) (c: *[n][p]f64) (d: *[n][p]f64) =
  loop (c, d) for i < n do
    loop (c, d) for k < m do
      loop (c, d) for j < p do
        (c with [i, j] = c[i, j] + a[i, k] * b[k, j], d with [i, j] = d[i, j] + a[i, k] * e[k, j])
END
products 0 "two sums in place, one of them of the other" <<'END'
entry main [n][m][p] (a: [n][m]f64) (b: [m][p]f64) (c: *[n][p]f64) (d: *[n][p]f64) =
  loop (c, d) for i < n do
    loop (c, d) for k < m do
      loop (c, d) for j < p do
        let d = d with [i, j] = d[i, j] + a[i, k] * c[i, j] in (c with [i, j] = c[i, j] + a[i, k] * b[k, j], d)
END
products 1 "what is added to places that are checked" <<'END'
entry main [n][m][p][q] (a: [n][m]f32) (b: [m][p]f32) (c: *[n][q]f32) (at: i64) : [n][q]f32 =
  loop c for i < n do
    loop c for j < p do
      let s = f32.sum (map2 (*) a[i] b[:, j]) in c with [i, at + j] = c[i, at + j] + s
END
products 1 "sums of sums" <<'END'
entry main [c][h][w][o][k] (x: [c][h][w]f32) (f: [o][c][k][k]f32) (b: [o]f32) : [o][][]f32 =
  map2 (\f b -> tabulate_2d (h - k + 1) (w - k + 1) (\i j ->
          f32.tanh (b + f32.sum (map2 (\x f -> f32.sum (tabulate k (\d -> f32.sum (tabulate k (\e ->
            x[i + d, j + e] * f[d, e]))))) x f)))) f b
END
products 3 "rows that a condition takes apart" <<'END'
entry main [n][m][k] (a: [n][m]f32) (w: [k][m][m]f32) (v: [k][m][m]f32) : [n][m]f32 =
  loop a for l < k do
    tabulate n (\i ->
      map3 (\x p q -> x + f32.exp (dot p a[i] + (if i >= l then dot q a[i - l] else 0))) a[i] w[l] v[l])
END
products 3 "derivatives by the weights of columns, beside those of what is added" <<'END'
entry main [n][m][p] (a: [n][m]f32) (w: [m][p]f32) (b: [p]f32) : ([n][m]f32, [m][p]f32, [p]f32) =
  let row w b x = f32.sum (map2 (\c b -> let s = f32.exp (dot x c + b) in s * s + s) (transpose w) b)
  in vjp (\(a, w, b) -> f32.sum (map (row w b) (map (map f32.tanh) a))) (a, w, b) 1
END
products 0 "a vector" <<'END'
entry main [n][m] (a: [n][m]f32) (x: [m]f32) : [n]f32 = map (dot x) a
END
products 0 "distances" <<'END'
entry main [n][m][p] (a: [n][m]f32) (b: [p][m]f32) : [n][p]f32 =
  map (\x -> map (\y -> f32.sum (map2 (\x y -> (x - y) * (x - y)) x y)) b) a
END

finish
