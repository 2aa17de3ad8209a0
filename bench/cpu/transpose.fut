entry main [n][m] (a: [n][m]f32) : [m][n]f32 = transpose a
