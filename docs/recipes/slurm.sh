#!/bin/sh
# A part of the class for each task of a Slurm array:
#
#     export HANDED_IN=... ASSIGNMENT=attention SEED_FILE=$HOME/seed.txt RESULTS=...
#     sbatch --array=1-20 slurm.sh
#     sbatch --array=3 slurm.sh                          # once more, where a node was lost
#     softmark gather "$RESULTS"/part* --out "$RESULTS"/all
#
#SBATCH --job-name=softmark
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -eu

# Not SLURM_ARRAY_TASK_COUNT: it is 1 where a single part runs once more.
PARTS=${PARTS:-20}
part=$SLURM_ARRAY_TASK_ID

status=0
softmark grade "$HANDED_IN" --assignment "$ASSIGNMENT" --seed-file "$SEED_FILE" --part "$part/$PARTS" \
    --out "$RESULTS/part$part" --jobs "${SLURM_CPUS_PER_TASK:-1}" || status=$?
# 1 says that somebody's answer is wrong: the job is done.
[ "$status" -le 1 ] || exit "$status"
