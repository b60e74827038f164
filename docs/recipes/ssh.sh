#!/bin/sh
# A part of the class on each host of a file, one host a line, by ssh alone:
#
#     sh ssh.sh handed_in attention seed.txt hosts.txt parts
#     softmark gather parts/part* --out results/
#
# Each host has softmark in the PATH of its shell, of the same versions. Where a host was lost, the same command
# goes on: keep the order of the hosts.
set -eu

if [ $# -ne 5 ]; then
    echo "usage: ssh.sh HANDED_IN ASSIGNMENT SEED_FILE HOSTS PARTS" >&2
    exit 2
fi
handed_in=$1 assignment=$2 seed_file=$3 hosts=$4 parts=$5
of=$(grep -c . "$hosts")
mkdir -p "$parts"

# On the host: everything in a folder that only this user can read, since the seed lies there.
grade() {
    host=$1 part=$2
    tar -c -C "$handed_in" . | ssh "$host" 'umask 077; mkdir -p softmark/in && tar -x -C softmark/in'
    ssh "$host" 'umask 077; cat > softmark/seed.txt' < "$seed_file"
    ssh "$host" "cd softmark && softmark grade in --assignment $assignment --seed-file seed.txt --part $part/$of \
        --out part$part || [ \$? -eq 1 ]" < /dev/null
    ssh "$host" "tar -c -C softmark part$part" < /dev/null | tar -x --no-same-owner -C "$parts"
}

part=0
running=""
while read -r host || [ -n "$host" ]; do # the last line may have no end
    [ -n "$host" ] || continue
    part=$((part + 1))
    # Each has its own file of what it says, and no part waits for another.
    grade "$host" "$part" > "$parts/log$part.txt" 2>&1 < /dev/null &
    running="$running $!"
done < "$hosts"

failed=0
part=0
for process in $running; do
    part=$((part + 1))
    wait "$process" || { failed=1; echo "part $part failed: see $parts/log$part.txt" >&2; }
done
exit "$failed"
