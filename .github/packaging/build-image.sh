#!/bin/sh
# Lays out what the image holds in dist/image, for docker, podman or buildah to build:
# build-image.sh [EXECUTABLE] [FOLDER]
set -eu
project=$(cd "$(dirname "$0")/../.." && pwd)
executable=${1:-$project/dist/freehold}
folder=${2:-$project/dist/image}
rm -rf "$folder"
mkdir -p "$folder/data"
install -D -m 755 "$executable" "$folder/root/usr/bin/freehold"
# Glibc's loader and libraries, where the loader looks for them.
ldd "$executable" | grep -o '/[^ ]*' | while read -r library; do
  install -D -m 755 "$library" "$folder/root$library"
done
# SQLite sorts there what does not fit into memory.
install -d -m 1777 "$folder/root/tmp"
cp "$project/.github/packaging/Containerfile" "$folder/Containerfile"
echo "docker build -t freehold $folder" >&2
