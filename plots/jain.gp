# SPDX-License-Identifier: GPL-2.0
# Jain's index over time: windows of 1 s, over the flows active all through the window, where there are two or more.
load "style.gp"
width = 860
height = 480
load "terminal.gp"
set title sprintf("{/:Bold Fairness over time}\n{/*0.85 %s}", where_text)
set xlabel "time [s]"
set ylabel "Jain's index of 1 s windows"
set xrange [0:last_s * 1.02]
set yrange [0.4:1.02]
set key bottom left horizontal Left reverse samplen 2 noenhanced
plot 1 with lines ls 20 lw 1 notitle, \
     for [i = 1:words(variants)] file(word(variants, i), "jain") skip 1 \
         using 1:(column(3) >= 2 ? column(2) : NaN) with lines lw 2.2 lc rgb colour[i] \
         title sprintf("%s (%.3f)", word(variants, i), metric(word(variants, i), "jain"))
