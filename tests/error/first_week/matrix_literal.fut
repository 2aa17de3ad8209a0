-- A matrix, as Julia and MATLAB write it.
-- at 6
-- ==
-- error: a matrix is an array of rows, separated by commas: "\[\[1, 2\], \[3, 4\]\]"\.

def a = [1 2; 3 4]
