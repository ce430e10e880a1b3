# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# bash completion of abt(8)

_abt_knobs() { command abt set 2> /dev/null | cut -d' ' -f1; }

_abt_values()
{
	case $1 in
	mode) echo off observe on ;;
	sender) echo stock fixed atbt sabt ;;
	receiver) echo stock fixed max drs tbt_plr ;;
	share) echo maxmin proportional fcfs ;;
	alpha_signal) echo epoch queue ;;
	esac
}

# What may stand after the object. OBJECT PREVIOUS KNOB
_abt_words()
{
	case $2 in
	dev) command ls /sys/class/net 2> /dev/null; return ;;
	local | remote | interval | count) return ;;
	esac
	case $1 in
	conn) echo show local remote dev short help ;;
	pool | path | offload) echo show help ;;
	top) echo interval count local remote dev short help ;;
	why) echo local remote dev short follow help ;;
	monitor) echo local remote dev short help ;;
	advise) [ "$2" = from ] || echo from help ;;
	metrics) [ "$2" = to ] || echo openmetrics to help ;;
	set) if [ "$3" ]; then _abt_values "$3"; else _abt_knobs; echo help; fi ;;
	esac
}

_abt()
{
	local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local options="-json -pretty -statistics -netns -color -Version"
	local objects="conn pool path top why monitor set offload advise metrics help"
	local i object="" at=0 knob="" choices

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-n*) i=$((i + 1)) ;;
		-*) ;;
		*) object=${COMP_WORDS[i]} at=$i; break ;;
		esac
	done
	if [ "$object" = set ] && (((COMP_CWORD - at) % 2 == 0)); then
		knob=$previous
	fi
	if [[ $previous == -n* ]]; then
		choices=$(command ls /run/netns 2> /dev/null)
	elif [ "$object" ]; then
		choices=$(_abt_words "$object" "$previous" "$knob")
	elif [[ $word == -* ]]; then
		choices=$options
	else
		choices=$objects
	fi
	if [ "$object" = advise ] && [ "$previous" = from ]; then
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
	elif [ "$object" = metrics ] && [ "$previous" = to ]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
	fi
}

complete -F _abt abt
