# Sets $python to a Python that can carry Kubli, or ends with one sentence. Sourced by ./kubli and ./check.

can() { command -v "$1" >/dev/null 2>&1 && "$1" -c "$2" >/dev/null 2>&1; }

python=
old=
for candidate in .venv/bin/python python3.13 python3.12 python3.11 python3.14 python3; do
    # A name on PATH may be a shim that runs nothing, so each is asked.
    can "$candidate" 'import sys; sys.exit(sys.version_info < (3, 11))' || continue
    old=$candidate
    can "$candidate" 'import ensurepip, venv' || continue
    python=$candidate
    break
done
if [ -z "$python" ]; then
    if [ -n "$old" ]; then
        echo "Kubli needs Python's venv module, which $old lacks: install it (on Debian and Ubuntu the package python3-venv) and start again." >&2
    else
        echo "Kubli needs Python 3.11 or newer, and there is none on PATH: install it and start again." >&2
    fi
    exit 1
fi
