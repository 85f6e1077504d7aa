#!/usr/bin/env bash
# Measure musicrel on a machine with a GPU, in nine minutes at most; one folder of results.
# usage: bash training/on_gpu.sh RESULTS [WHEELS] [LIMIT]
# LIMIT: a script that measures what plain torch reaches with models of the same shape, for the share
# of it that training reaches; shared/bench/gpu_limit.py if there is one.
# WHEELS: a folder of wheels for a machine without a network and with torch, numpy, numba,
# safetensors, tqdm, pillow and pytest. For its Python (3.12 on the one seen), with the versions of
# constraints.txt:
#   pip download --no-deps --only-binary=:all: --python-version 3.12 --implementation cp \
#     --platform manylinux_2_28_x86_64 --platform manylinux_2_24_x86_64 \
#     --platform manylinux2014_x86_64 --platform manylinux2010_x86_64 -d WHEELS \
#     mido pretty-midi platformdirs tomli-w psutil miniaudio six importlib_resources pycparser \
#     cffi verovio msgspec jinja2 markupsafe
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "$1" && cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -n "${2:-}" ]; then
  python3 -m pip install -q --no-index --no-deps --no-compile --no-cache-dir --upgrade \
    --target "$scratch/site" "$2"/*.whl || exit 1
fi
export PYTHONPATH=$scratch/site:$here/.. MUSICREL_HOME=$scratch/home PYTHONUNBUFFERED=1
cd "$here/.." || exit 1

left() {  # a limit in seconds, or what is left of nine minutes
  local all=$((535 - SECONDS))
  echo $((all < 1 ? 1 : all < $1 ? all : $1))
}
nvidia-smi -L | tee "$out/card.txt"
timeout "$(left 120)" python3 -m musicrel.generation > "$out/compiled.txt" 2>&1 || tail -3 "$out/compiled.txt"
timeout "$(left 260)" python3 -m musicrel check --device cuda > "$out/check.txt" 2>&1
grep -iv "passed$" "$out/check.txt" | tail -25

seconds() {
  timeout "$(left 60)" python3 -m musicrel "$@" --json 2> "$out/error.txt" | python3 -c "
import json, sys
found = json.load(sys.stdin)
print('$*', {name: found[name] for name in ('device', 'seconds', 'tokens_per_second') if name in found})
" || { echo "$* failed"; tail -2 "$out/error.txt"; }
}
for device in cpu cuda; do
  for quality in draft normal normal; do
    seconds generate --model relative --device $device --quality $quality --out "$scratch/x.mid"
  done
  seconds harmonise ode-to-joy --device $device --out "$scratch/h.mid"
  seconds generate --model relative --device $device --candidates 8 --bars 4 --out "$scratch/x.mid"
  seconds generate --model relative --device $device --count 64 --bars 16 --out "$scratch/$device/"
done | tee "$out/writing.txt"

limit=${3:-$here/../shared/bench/gpu_limit.py}
[ -f "$limit" ] && timeout "$(left 90)" python3 "$limit" > "$out/limit.txt" 2> /dev/null
for recipe in relative-base vanilla-base; do
  timeout -s INT "$(left 25)" python3 -m musicrel train --recipe $recipe --out "$scratch/$recipe" \
    --device cuda --events - > "$out/$recipe.jsonl" 2> "$out/$recipe.err"
  python3 - "$out/$recipe.jsonl" "$out/limit.txt" << 'P' | tee -a "$out/training.txt"
import json, re, sys
from pathlib import Path

name, events = Path(sys.argv[1]).stem, list(map(json.loads, filter(str.strip, open(sys.argv[1]))))
for event in events:
    if event.get("event") == "TrainNoted":
        print(event["note"])
steps = [event for event in events if event.get("event") == "TrainStep"]
if len(steps) > 40:
    first, last = steps[len(steps) // 2], steps[-1]
    speed = (last["tokens"] - first["tokens"]) / (last["seconds"] - first["seconds"])
    kind = "rel" if name.startswith("relative") else "van"
    row = rf"train {kind} B=4 T=512 compile=False graph=True: .* (\d+)k tok/s"
    limit = re.search(row, Path(sys.argv[2]).read_text()) if Path(sys.argv[2]).exists() else None
    share = f", {speed / 10 / int(limit[1]):.0f} % of plain torch in one graph" if limit else ""
    print(f"{name}: {speed:,.0f} tokens/s, steady, after {len(steps)} steps{share}")
P
done
timeout "$(left 100)" python3 -m pytest -q --noconftest -c /dev/null --rootdir=. -p no:cacheprovider \
  --import-mode=importlib \
  --ignore=tests/unit/model/positions/test_polar.py \
  tests/unit/model tests/unit/cli/test_checkup.py -k "device or cuda" > "$out/tests.txt" 2>&1
tail -3 "$out/tests.txt"
