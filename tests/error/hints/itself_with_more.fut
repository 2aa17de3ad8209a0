-- A definition sees itself: it does not take as many arguments as the one meant.
-- at 6
-- ==
-- error: takes only 1 argument, but is given 2.*Note: here "take" is the function that is being defined

def take [n] (xs: [n]i32) : []i32 = take xs 2
