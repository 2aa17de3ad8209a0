-- The lengths of the shortest paths between all nodes of a graph.
entry main [n] (d: [n][n]f32) : [n][n]f32 =
  loop d for k < n do
    map (\row -> map2 (\ij kj -> f32.min ij (row[k] + kj)) row d[k]) d
