# SPDX-License-Identifier: GPL-2.0
# Scheduling of packet pieces: throughput of a port by packet size, on the mix, and how even its engines' work is. Of
# DIR/np_sched.tsv (selftests/model/np_sched); beside NP's figures 6-8.
load "look.gp"
width = 1200
height = 560
load "terminal.gp"
table = sprintf("%s/np_sched.tsv", dir)
policies = "ss ml mlp"
mhz = system(sprintf("awk 'NR == 2 {print $1}' '%s'", table))
take = system(sprintf("awk 'NR == 2 {print $2}' '%s'", table))
rows(policy, size) = sprintf("< awk -F'\\t' '$1 == %s && $2 == %s && $4 == \"%s\" && ($3 == \"mix\") == %d {print $3 \"\\t\" $5 \"\\t\" $6 \"\\t\" $7 \"\\t\" $8}' '%s'", mhz, take, policy, size eq "mix", table)

set multiplot title sprintf("{/:Bold Packet pieces on the threads of a network processor}\n{/*0.85 two engines of %s MHz, four threads each, serve a gigabit port}", mhz)
set tmargin at screen 0.83
set bmargin at screen 0.14
set yrange [0:1050]
set xrange [0:1540]
set xtics 256
set xlabel "packet [bytes]"
set ylabel "throughput of a port [Mbit/s]" offset 1
set lmargin at screen 0.09
set rmargin at screen 0.53
set key bottom right Left reverse samplen 2
plot rows("ss", "all") using 1:3 with lines ls 20 title "wire", \
     for [i = 1:3] rows(word(policies, i), "all") using 1:2 with linespoints lw 2.2 pt 7 ps 0.7 lc rgb colour[i] title word(policies, i)
unset key
set lmargin at screen 0.59
set rmargin at screen 0.73
set xrange [0.4:3.6]
set xtics ("ss" 1, "ml" 2, "mlp" 3)
set xlabel "on the mix"
unset ylabel
set boxwidth 0.7
set style fill solid 0.9 noborder
plot rows("ss", "mix") using (0.5):3:(3):(0) with vectors nohead ls 20, \
     for [i = 1:3] rows(word(policies, i), "mix") using (i):2 with boxes lc rgb colour[i], \
     for [i = 1:3] rows(word(policies, i), "mix") using (i):2:(sprintf("%.0f", $2)) with labels offset 0, -0.8 tc rgb "white"
set lmargin at screen 0.80
set rmargin at screen 0.965
set xrange [0:1540]
set yrange [0.9:2.9]
set xtics 512
set xlabel "packet [bytes]"
set ylabel "busier engine / the other" offset 1
larger(a, b) = a > b ? a / b : b / a
plot for [i = 1:3] rows(word(policies, i), "all") using 1:(larger($4, $5)) with linespoints lw 2.2 pt 7 ps 0.7 lc rgb colour[i]
unset multiplot
