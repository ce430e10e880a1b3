# SPDX-License-Identifier: GPL-2.0
# How all figures look. Palette: Okabe and Ito's, safe for colour-blind eyes.

set datafile separator "\t"
set datafile missing "?"
set encoding utf8

array colour[8] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"]

set border 3 lc rgb "#404040"
set tics nomirror out
set grid ytics lc rgb "#d8d8d8" lw 1
set style line 20 lc rgb "#000000" lw 2 dt (6, 4)
