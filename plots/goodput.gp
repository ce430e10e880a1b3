# SPDX-License-Identifier: GPL-2.0
# Goodput of each flow over time, one panel per variant, same axes (the TBT-PLR paper's figures 7 to 9 side by side).
load "style.gp"
n = words(variants)
columns = (n > 4) ? 4 : n
rows = int(ceil(real(n) / columns))
width = 360 * columns + 60
height = 380 * rows + 50
load "terminal.gp"

flows = system(sprintf("head -1 '%s' | cut -f2- | tr '\\t' ' '", file(word(variants, 1), "goodput")))
top = 0
do for [v in variants] {
    stats file(v, "goodput") skip 1 using (column(2)) nooutput
    do for [c = 2:words(flows) + 1] {
        stats file(v, "goodput") skip 1 using (column(c)) nooutput
        top = (STATS_max > top) ? STATS_max : top
    }
}
set multiplot layout rows, columns title sprintf("{/:Bold %s}\n{/*0.85 %s}", title_text, where_text) margins char 8.5, char 2, char 3.8, char 5 spacing char 2, char 7
set xrange [0:last_s * 1.02]
set yrange [0:top * 1.12]
set xlabel "time [s]" offset 0, 0.4
set key top right Left reverse samplen 1.6 spacing 1.05
do for [i = 1:n] {
    v = word(variants, i)
    set title v offset 0, -0.6 noenhanced
    leftmost = (i % columns == 1 || columns == 1)
    if (leftmost) { set ylabel "goodput [Mbit/s]" offset 0.3, 0; set format y "%g" } else { unset ylabel; set format y "" }
    if (i == 1) { set key } else { unset key }
    plot for [c = 2:words(flows) + 1] file(v, "goodput") skip 1 using 1:(column(c)) with lines lw 2 lc rgb colour[c - 1] title word(flows, c - 1)
}
unset multiplot
