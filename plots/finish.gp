# SPDX-License-Identifier: GPL-2.0
# When each flow ended, beside the earliest time at which the last one could have.
load "style.gp"
width = 860
height = 480
load "terminal.gp"
ends = sprintf("%s/finish.tsv", dir)
flows = words(system(sprintf("head -1 '%s' | tr '\\t' ' '", ends))) - 2
set title sprintf("{/:Bold End of each flow, and the earliest possible end of the last (bound)}\n{/*0.85 %s}", where_text)
set ylabel "time since the first data [s]"
set style data histograms
set style histogram clustered gap 1.2
set style fill solid 0.9 noborder
set xtics scale 0 noenhanced
set yrange [0:last_s * 1.2]
set key top center horizontal maxrows 1 Left reverse samplen 1.2
half = 0.5
plot for [c = 2:flows + 1] ends using (column(c)):xtic(1) lc rgb colour[c - 1] title columnheader(c), \
     ends skip 1 using ($0 - half):(column(flows + 2)):(2 * half):(0) with vectors nohead ls 20 lw 1.6 title "bound"
