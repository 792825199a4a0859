#!/usr/bin/env bash
# Builds a real Jaeger (all-in-one) from its Go modules: jaeger.sh OUT. A binary that is there stays.
# go.mod and go.sum pin Jaeger and all that it needs. Takes 2 to 3 minutes on 2 cores; needs Go 1.25 or later.
set -euo pipefail
out=$(realpath -m "$1")
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$out" ] && exit 0
mkdir -p "$(dirname "$out")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/go.mod" "$here/go.sum" "$work/"
cd "$work"
# The sums of all that Jaeger needs stand in go.sum; its own is not looked up where no checksum database is reached.
GOFLAGS=-mod=mod GOTOOLCHAIN=local GONOSUMDB=github.com/jaegertracing/jaeger \
  go build -o "$out.part" github.com/jaegertracing/jaeger/cmd/all-in-one
mv "$out.part" "$out"
