# SPDX-License-Identifier: GPL-2.0
# Goodput of flows over time, and the round trip that each sees under it, a column a variant: the first three.
load "style.gp"
n = words(variants) > 3 ? 3 : words(variants)
width = 400 * n + 60
height = 700
load "terminal.gp"

load "rates.gp"
hue(i) = colour[(i - 1) % |colour| + 1]
# the rows of sockets.tsv of a flow: time, round trip [ms]
trips(variant, flow) = sprintf("< awk -F'\\t' 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} NR > 1 && $at[\"flow\"] == \"%s\" && $at[\"rtt_us\"] + 0 > 0 {print $1 \"\\t\" $at[\"rtt_us\"] / 1000}' '%s'", flow, file(variant, "sockets"))
trip_top = 0
do for [i = 1:n] {
    do for [f = 1:n_flows] {
        stats trips(word(variants, i), word(flows, f)) using 2 nooutput
        trip_top = (STATS_max > trip_top) ? STATS_max : trip_top
    }
}
set multiplot layout 2, n title sprintf("{/:Bold %s}\n{/*0.85 %s}", title_text, where_text) margins char 8.5, char 2, char 3.8, char 5 spacing char 2, char 3
set xrange [0:last_s * 1.02]
do for [row = 1:2] {
    set yrange [0:(row == 1 ? rate_top : trip_top) * 1.08]
    do for [i = 1:n] {
        v = word(variants, i)
        if (row == 1) { set title v offset 0, -0.6 noenhanced; unset xlabel; set format x "" } else { unset title; set xlabel "time [s]" offset 0, 0.4; set format x "%g" }
        if (i == 1) { set ylabel row == 1 ? "goodput [Mbit/s]" : "smoothed RTT [ms]" offset 0.3, 0; set format y "%g" } else { unset ylabel; set format y "" }
        if (row == 1) {
            plot for [f = 1:n_flows] file(v, "goodput") skip 1 using 1:(column(f + 1)) with lines lw 2 lc rgb hue(f) notitle
        } else {
            plot for [f = 1:n_flows] trips(v, word(flows, f)) using 1:2 with lines lw 2 lc rgb hue(f) notitle
        }
    }
}
unset multiplot
