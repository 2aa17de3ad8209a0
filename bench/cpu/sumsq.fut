entry sum_f32 [n] (xs: [n]f32) : f32 = xs |> map (\x -> x * x) |> reduce (+) 0
entry sum_i32 [n] (xs: [n]i32) : i32 = xs |> map (\x -> x * x) |> reduce (+) 0
