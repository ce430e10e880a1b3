# SPDX-License-Identifier: GPL-2.0
# Goodput of each flow over time, one panel per variant, same axes (the TBT-PLR paper's figures 7 to 9 side by side).
# More flows than colours: all of a name, its number aside, have one.
load "style.gp"
n = words(variants)
columns = (n > 4) ? 4 : n
rows = int(ceil(real(n) / columns))
width = 360 * columns + 60
height = 380 * rows + 50
load "terminal.gp"

load "rates.gp"
kind(name) = strstrt("0123456789", name[strlen(name):]) ? kind(name[:strlen(name) - 1]) : name
group(name) = (n_flows > |colour|) ? kind(name) : name
array group_of[n_flows]
array first[n_flows]  # its title, where a group begins
groups = ""
do for [i = 1:n_flows] {
    g = group(word(flows, i))
    group_of[i] = 0
    first[i] = ""
    do for [j = 1:words(groups)] { if (word(groups, j) eq g) { group_of[i] = j } }
    if (group_of[i] == 0) { groups = groups . " " . g; group_of[i] = words(groups); first[i] = g }
}
thick = (n_flows > |colour|) ? 0.8 : 2
set multiplot layout rows, columns title sprintf("{/:Bold %s}\n{/*0.85 %s}", title_text, where_text) margins char 8.5, char 2, char 3.8, char 5 spacing char 2, char 7
set xrange [0:last_s * 1.02]
set yrange [0:rate_top * 1.12]
set xlabel "time [s]" offset 0, 0.4
set key top right Left reverse samplen 1.6 spacing 1.05
do for [i = 1:n] {
    v = word(variants, i)
    set title v offset 0, -0.6 noenhanced
    leftmost = (i % columns == 1 || columns == 1)
    if (leftmost) { set ylabel "goodput [Mbit/s]" offset 0.3, 0; set format y "%g" } else { unset ylabel; set format y "" }
    if (i == 1) { set key } else { unset key }
    plot for [f = 1:n_flows] file(v, "goodput") skip 1 using 1:(column(f + 1)) with lines lw thick lc rgb colour[group_of[f]] notitle, \
         for [f = 1:n_flows] NaN with lines lw 2 lc rgb colour[group_of[f]] title first[f]
}
unset multiplot
