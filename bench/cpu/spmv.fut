-- A sparse matrix by rows: row i has the elements from starts[i] to starts[i + 1].
entry main [k][m] (n: i64) (starts: []i64) (columns: [k]i64) (values: [k]f64) (x: [m]f64) : [n]f64 =
  tabulate n (\i ->
    loop s = 0 for j in starts[i]...starts[i + 1] - 1 do
      s + values[j] * x[columns[j]])
