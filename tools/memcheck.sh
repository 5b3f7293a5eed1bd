#!/bin/sh
# A quick subset of the tests under valgrind's memcheck: no invalid access, no leak. Built for the plain architecture, as
# valgrind does not know every instruction that compilers use on newer ones.
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
quick="base_base math_math control_pid control_signal env_environment geom_shape hydro_hydro contact_law
    cable_forces cable_model cable_solve vehicle_axis vehicle_instruments vehicle_thruster
    io_scene_machines io_scene_memory io_scene_signals io_sms io_sms_output io_vehicle_file
    world_fluid world_query world_ship"

mkdir -p build-memcheck
cmake --preset memcheck >build-memcheck/configure.log 2>&1 || { cat build-memcheck/configure.log; exit 1; }
cmake --build build-memcheck -j "$jobs" --target $quick >build-memcheck/build.log 2>&1 ||
    { tail -n 60 build-memcheck/build.log; exit 1; }

failed=0
count=0
cd build-memcheck
for name in $quick; do
    count=$((count + 1))
    log=$(mktemp)
    if timeout 600 valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        --show-leak-kinds=definite "test/$name" >"$log" 2>&1; then
        echo "good   $name"
    else
        echo "FAILED $name"
        cat "$log"
        failed=$((failed + 1))
    fi
    rm -f "$log"
done
echo "memcheck: $((count - failed)) of $count test programs are good"
[ "$failed" = 0 ]
