# SPDX-License-Identifier: GPL-2.0
# The pools' work by number of connections: instructions, which are to stay the same, and time, which grows by what the
# processor's caches do not hold. Of DIR/scale.tsv (selftests/model/scale).
load "look.gp"
width = 900
height = 520
load "terminal.gp"
table = sprintf("%s/scale.tsv", dir)
operations = "demand demand_contended come_and_go tick slice contention"
array label[6] = ["demand changes, memory is plenty", "demand changes, memory is short", "a connection comes and goes", \
                  "tick: levels are found anew", "64 records are steered", "contention begins and ends"]
rows(name, column) = sprintf("< awk -F'\\t' '$1 == \"%s\" {print $2 \"\\t\" $%d}' '%s'", name, column, table)

set multiplot title "{/:Bold Work of the pools by number of connections}\n{/*0.85 a namespace's pool under the host's, in user space}"
set tmargin at screen 0.84
set bmargin at screen 0.36
set logscale xy
set xrange [600:1700000]
set yrange [20:30000]
set xtics ("10^3" 1e3, "10^4" 1e4, "10^5" 1e5, "10^6" 1e6)
set ytics ("100" 100, "1,000" 1000, "10,000" 10000)
set xlabel "connections"
unset key
set lmargin at screen 0.13
set rmargin at screen 0.49
set ylabel "instructions" offset 1
plot for [i = 1:words(operations)] rows(word(operations, i), 3) using 1:2 with linespoints lw 2.2 pt 7 ps 1.2 lc rgb colour[i]
set lmargin at screen 0.63
set rmargin at screen 0.98
set ylabel "time [ns]" offset 1
plot for [i = 1:words(operations)] rows(word(operations, i), 4) using 1:2 with linespoints lw 2.2 pt 7 ps 1.2 lc rgb colour[i]
# A panel with nothing but the key: one that has curves would make its key as narrow as itself.
set lmargin at screen 0.11
set rmargin at screen 0.98
set tmargin at screen 0.2
set bmargin at screen 0.01
unset border
unset tics
unset xlabel
unset ylabel
set key center center maxrows 3 Left reverse samplen 2
plot for [i = 1:words(operations)] NaN with linespoints lw 2.2 pt 7 ps 1.2 lc rgb colour[i] title label[i]
unset multiplot
