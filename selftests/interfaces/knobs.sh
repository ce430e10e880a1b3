#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The running module against the table in sysctl/README.md: every knob, its default,
# its range, its words. And the profiles.
. ./lib.sh

PROFILES=../sysctl

# A line a knob: its name, values and default, separated by |.
TABLE=$(sed -n 's/^| `\([a-z_]*\)` | \([^|]*\) | [^|]* | \([^|]*\) |.*/\1|\2|\3/p' "$PROFILES/README.md")

# Without a process for each: there are hundreds of reads.
all_values()
{
	local file value

	ALL_VALUES=""
	for file in "$KNOBS"/*; do
		read -r value < "$file"
		ALL_VALUES+="${file##*/} = $value; "
	done
}

reads_as()
{
	local value

	read -r value < "$KNOBS/$1"
	check_is "$value" "$2" "$1"
}

accepted()
{
	check "$1 takes $2" sysctl_set "" "tcp_abt/$1" "$2"
	reads_as "$1" "$2"
}

# refused KNOB VALUE: EINVAL, and no knob has changed
refused()
{
	local before said

	all_values
	before=$ALL_VALUES
	{ echo "$2" > "$KNOBS/$1"; } 2> "$SCRATCH/said" && fail "$1 took '$2'"
	read -r said < "$SCRATCH/said"
	[[ $said == *"Invalid argument" ]] || fail "$1 = '$2': expected EINVAL, saw: $said"
	all_values
	check_is "$ALL_VALUES" "$before" "knobs after '$2' was refused"
}

# The band's knobs bound each other: room for the whole range of one of them.
make_room_for()
{
	case $1 in
	send_band_low) knobs "" send_band_high 16 send_target 8 ;;
	send_target) knobs "" send_band_high 16 send_band_low 1 ;;
	send_band_high) knobs "" send_band_low 1 send_target 1 ;;
	esac
}

restore_band() { knobs "" send_band_high 16 send_band_low 1 send_target 3 send_band_low 2 send_band_high 4; }

the_table_names_every_knob()
{
	check "the table was read" [ "$(wc -l <<< "$TABLE")" -gt 10 ]
	check_is "$(cut -d'|' -f1 <<< "$TABLE" | sort | xargs)" "$(cd "$KNOBS" && echo *)" \
		"knobs in the table, and in the module"
}

defaults_are_as_written()
{
	local knob default

	while IFS='|' read -r knob _ default; do
		reads_as "$knob" "$default"
	done <<< "$TABLE"
}

ranges_are_as_written()
{
	local knob values default low high

	while IFS='|' read -r knob values default; do
		[[ $values == *..* ]] || continue
		low=${values% .. *}
		low=${low#0, }
		high=${values#* .. }
		make_room_for "$knob"
		for value in "$low" "$high"; do
			accepted "$knob" "$value"
		done
		refused "$knob" $((high + 1))
		refused "$knob" $((low - 1))
		if [[ $values == "0, "* ]]; then
			accepted "$knob" 0
		elif [ "$low" -gt 1 ]; then
			refused "$knob" 0
		fi
		[[ $knob == send_[bt]a* ]] || knobs "" "$knob" "$default"
		[[ $knob != send_[bt]a* ]] || restore_band
	done <<< "$TABLE"
}

words_are_as_written()
{
	local knob values default word

	while IFS='|' read -r knob values default; do
		[[ $values == *..* ]] && continue
		for word in ${values//,/}; do
			accepted "$knob" "$word"
		done
		refused "$knob" "${word}x"
		refused "$knob" "${word:0:1}"
		refused "$knob" ""
		refused "$knob" 1
		knobs "" "$knob" "$default"
	done <<< "$TABLE"
}

nonsense_is_refused()
{
	local value

	for value in -1 1.5 many 0xfffffffff "131072 131072" 99999999999999999999999999999999999 \
		18446744073709551617 4294967296; do
		refused fixed_recv "$value"
	done
	refused sender max
	refused receiver atbt
	check_is "$(printf ' 131072\t\n' > "$KNOBS/fixed_recv"; cat "$KNOBS/fixed_recv")" 131072 \
		"blanks around a number do not matter"
}

# low <= target <= high, low < high
the_band_is_checked_as_a_whole()
{
	refused send_band_low 4
	refused send_target 1
	refused send_target 5
	refused send_band_high 2
	accepted send_target 2
	refused send_band_high 1
	refused send_band_low 3
	accepted send_target 3
}

profile_applies()
{
	local profile=$1 key value

	check "$profile loads" sysctl -q -p "$PROFILES/$profile.conf"
	while IFS=' =' read -r key value; do
		reads_as "${key##*.}" "$value"
	done < <(grep '^net' "$PROFILES/$profile.conf")
}

profiles_load_in_any_order()
{
	local all="atbt busy-server drs fixed-large fixed-small lfn sabt tbt-plr" profile

	check_is "$(cd "$PROFILES" && echo *.conf)" "${all// /.conf }.conf" "profiles there are"
	for profile in $all lfn tbt-plr fixed-large drs sabt busy-server atbt; do
		profile_applies "$profile"
	done
}

tbt_plr_is_the_default()
{
	knobs "" send_pool 0 recv_pool 0 fixed_send 131072 fixed_recv 131072
	profile_applies tbt-plr
	defaults_are_as_written
}

module_insert
tests_run the_table_names_every_knob defaults_are_as_written ranges_are_as_written \
	words_are_as_written nonsense_is_refused the_band_is_checked_as_a_whole \
	profiles_load_in_any_order tbt_plr_is_the_default
