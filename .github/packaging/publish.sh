#!/bin/sh
# Publishes dist/release as a release of GitHub and its image in GitHub's registry, for the commit of a
# tag: publish.sh OWNER/NAME TAG. Needs gh and skopeo, and GH_TOKEN with the right to both.
set -eu
repository=$1
tag=$2
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
[ "$tag" = "v$version" ] || { echo "$tag is not the tag of version $version" >&2; exit 1; }
grep -q "^## $version " .github/CHANGELOG.md || { echo "CHANGELOG.md lacks $version" >&2; exit 1; }
gh release create "$tag" dist/release/* --repo "$repository" --verify-tag --title "$version" \
  --notes-file dist/release/NOTES.md
image=ghcr.io/$(echo "$repository" | tr '[:upper:]' '[:lower:]')
echo "$GH_TOKEN" | skopeo login ghcr.io --username "${GITHUB_ACTOR:-freehold}" --password-stdin
for name in "$version" latest; do
  skopeo copy --all "oci-archive:dist/release/freehold-$version-image.tar:$version" "docker://$image:$name"
done
