# SPDX-License-Identifier: GPL-2.0
# Shares of a send and of a receive that the TOE paper's functions take, paper beside today. Of DIR/profile.tsv (make toe-profile).
load "look.gp"
width = 1160
height = 760
load "terminal.gp"
table = sprintf("%s/profile.tsv", dir)
array size[4] = ["1.4 KB", "14 KB", "140 KB", "1 MB"]
# Shares of one part, a row for each way to size buffers.
rows(side, size, part) = sprintf("< awk -F'\\t' '$1 == \"lan\" && $2 == \"%s\" && $3 == \"%s\" && $5 == \"%s\" {print $4 \"\\t\" $8}' '%s'", side, size, part, table)
sends = "1 2 3 0"
array send_label[4] = ["1 allocate the buffer", "2 copy in", "3 wait for memory", "rest of TCP"]
array send_colour[4] = [colour[1], colour[6], colour[2], "#c8c8c8"]
receives = "4 5 6 7 0"
array receive_label[5] = ["4 tcp\\_v4\\_rcv", "5 send ACKs", "6 copy out", "7 free the buffer", "rest of TCP"]
array receive_colour[5] = [colour[5], colour[4], colour[6], colour[1], "#c8c8c8"]

small = format eq "svg" ? ",12" : ",24"
set multiplot layout 2, 1 title "{/:Bold Where a message's time goes: TOE paper (2005), and today with three kinds of send buffer}\n{/*0.85 1 Gbit/s LAN, one message at a time, no offload; share of TCP's time, waiting included for the send}"
set style data histograms
set style histogram rowstacked title offset 0, -1.6
set style fill solid 0.95 border lc rgb "white"
set boxwidth 0.8
set yrange [0:100]
set xtics rotate by 35 right scale 0 noenhanced font small offset 0.6, 0.2
set key at screen 0.76, graph 0.75 left top vertical Left reverse samplen 1 width 1
set lmargin at screen 0.09
set rmargin at screen 0.74
set bmargin 5
set ylabel "share of a send [%]" offset 1
part(s, i) = rows("send", size[s], word(sends, i))
plot newhistogram "1.4 KB" at 0, for [i = 1:4] part(1, i) using 2:xtic(1) lc rgb send_colour[i] title send_label[i], \
     newhistogram "14 KB" at 5, for [i = 1:4] part(2, i) using 2:xtic(1) lc rgb send_colour[i] notitle, \
     newhistogram "140 KB" at 10, for [i = 1:4] part(3, i) using 2:xtic(1) lc rgb send_colour[i] notitle, \
     newhistogram "1 MB" at 15, for [i = 1:4] part(4, i) using 2:xtic(1) lc rgb send_colour[i] notitle
set ylabel "share of a receive [%]" offset 1
part(s, i) = rows("receive", size[s], word(receives, i))
plot newhistogram "1.4 KB" at 0, for [i = 1:5] part(1, i) using 2:xtic(1) lc rgb receive_colour[i] title receive_label[i], \
     newhistogram "14 KB" at 5, for [i = 1:5] part(2, i) using 2:xtic(1) lc rgb receive_colour[i] notitle, \
     newhistogram "140 KB" at 10, for [i = 1:5] part(3, i) using 2:xtic(1) lc rgb receive_colour[i] notitle, \
     newhistogram "1 MB" at 15, for [i = 1:5] part(4, i) using 2:xtic(1) lc rgb receive_colour[i] notitle
unset multiplot
