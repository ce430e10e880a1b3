# SPDX-License-Identifier: GPL-2.0
# The emulated adapter: who fits into its memory, what they carry, what the host is saved. Of DIR/summary.tsv
# (netem_scenarios/toe_hybrid.toml).
load "look.gp"
width = 1200
height = 560
load "terminal.gp"
summary = sprintf("%s/summary.tsv", dir)
variants = "fixed granted"
array label[2] = ["64 KB for each connection", "granted max-min by tcp\\_abt"]
# Rows of a variant where AXIS = VALUE: the other axis, and a metric.
rows(variant, axis, value, x, metric) = sprintf("< awk -F'\\t' 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next} $at[\"variant\"] == \"%s\" && $at[\"%s\"] == %d {print $at[\"%s\"] \"\\t\" $at[\"%s\"]}' '%s'", variant, axis, value, x, metric, summary)
most = real(system(sprintf("awk -F'\\t' 'NR > 1 && $1 > m {m = $1} END {print m}' '%s'", summary)))
half_kb = 32768
functions = "alloc copy_in check ack copy_out free"
array work[6] = ["1 allocate", "2 copy in", "4 check", "5 ACK", "6 copy out", "7 free"]

set multiplot title "{/:Bold Socket buffers in an emulated adapter}\n{/*0.85 a server's mixed connections, 1 Gbit/s x 20 ms}"
set tmargin at screen 0.80
set bmargin at screen 0.27
unset key
set style data linespoints
set lmargin at screen 0.10
set rmargin at screen 0.33
set logscale x 2
set xrange [3.4:77]
set xtics (4, 16, 32, 64)
set yrange [0:1100]
set xlabel "adapter memory [MB]"
set ylabel sprintf("held of %.0f connections", most) offset 0.5
plot for [i = 1:2] rows(word(variants, i), "flows", most, "adapter_kb", "adapter_conns") using ($1 / 1024):2 lw 2.6 pt 7 ps 1.2 lc rgb colour[i]
set lmargin at screen 0.42
set rmargin at screen 0.66
set logscale x 10
set xrange [3:1400]
set xtics (4, 100, "1,000" 1000)
set yrange [0:1000]
set xlabel sprintf("connections, with %d MB", half_kb / 1024)
set ylabel "goodput [Mbit/s]" offset 1
plot for [i = 1:2] rows(word(variants, i), "adapter_kb", half_kb, "flows", "goodput_mbps") using 1:2 lw 2.6 pt 7 ps 1.2 lc rgb colour[i]
unset logscale x
set lmargin at screen 0.75
set rmargin at screen 0.985
set xrange [0.4:6.6]
set xtics rotate by -35 left offset -0.5, 0
set for [f = 1:6] xtics (work[1] 1, work[2] 2, work[3] 3, work[4] 4, work[5] 5, work[6] 6)
set yrange [0:*]
unset xlabel
set ylabel "host's cycles saved a KB" offset 1
set style fill solid 0.9 noborder
set boxwidth 0.38
plot for [i = 1:2] for [f = 1:6] rows(word(variants, i), "flows", most, "adapter_kb", sprintf("saved_%s_per_kb", word(functions, f))) using (f + 0.4 * (i - 1.5)):($1 == half_kb ? $2 : NaN) with boxes lc rgb colour[i]
# A panel with nothing but the key.
set lmargin at screen 0.1
set rmargin at screen 0.9
set tmargin at screen 0.11
set bmargin at screen 0.01
unset border
unset tics
unset ylabel
set yrange [0:1]
set key center center maxrows 1 Left reverse samplen 2
plot for [i = 1:2] NaN with linespoints lw 2.6 pt 7 ps 1.2 lc rgb colour[i] title label[i]
unset multiplot
