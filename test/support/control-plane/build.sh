#!/usr/bin/env bash
# Builds the control plane that the cluster tests run on: kube-apiserver and kube-controller-manager 1.20.2 from
# Debian bookworm's source package with bookworm's Go 1.19, and etcd from bookworm. About 5 minutes on two cores.
#
#   build.sh          prints the folder that holds the binaries; a second run finds them there and returns at once
#
# The folder's name carries a hash of this file, so that an edit here is a new build. Nothing is installed into the
# system and root is not needed. While it runs it takes 3 GB of disk beside the cache and 2 GB of memory.
set -euo pipefail

readonly kubernetes_package='1.20.5+really1.20.2-1.1+deb12u1' # Debian's name for 1.20.2
readonly keyring=/usr/share/keyrings/debian-archive-keyring.gpg

self=$(realpath "${BASH_SOURCE[0]}")
cache=${PAWL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pawl}
output=$cache/control-plane-$(sha256sum "$self" | cut -c1-12)

say() { echo "[$(date +%T)] $*" >&2; }
fail() { echo "build.sh: $*" >&2; exit 1; }

mirror() { # what the system itself uses, or Debian's own
  local found
  found=$(grep -rhoE -m 1 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null || true)
  read -r found <<< "${found:-https://deb.debian.org/debian}"
  echo "$found"
}

# A configuration of apt's own under the scratch folder: neither the system's lists nor its packages are touched.
private_apt() {
  local uri kind
  uri=$(mirror)
  mkdir -p apt/lists/partial apt/cache/archives/partial
  for kind in deb deb-src; do echo "$kind [signed-by=$keyring] $uri bookworm main"; done > apt/sources.list
  cat > apt/apt.conf <<CONF
Dir::Etc::sourcelist "$PWD/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::Lists "$PWD/apt/lists";
Dir::Cache "$PWD/apt/cache";
APT::Sandbox::User "root";
CONF
  export APT_CONFIG=$PWD/apt/apt.conf
  apt-get -qq update
}

download() {
  mkdir -p packages
  cd packages
  apt-get -qq download golang-1.19-go golang-1.19-src etcd-server golang-github-modern-go-reflect2-dev
  apt-get -qq source --download-only "kubernetes=$kubernetes_package"
  cd ..
}

unpack() {
  local package vendored=$source/vendor/github.com/modern-go/reflect2
  for package in packages/*.deb; do dpkg -x "$package" root; done
  mkdir -p "$source"
  tar xzf packages/kubernetes_*.orig.tar.gz -C "$source" --strip-components=1
  # Built with Go 1.18 or newer, the vendored reflect2 1.0.1 makes the server crash at its first custom resource.
  rm -rf "$vendored"
  cp -r root/usr/share/gocode/src/github.com/modern-go/reflect2 "$vendored"
}

use_go() {
  export GOROOT=$scratch/root/usr/lib/go-1.19 GOPATH=$scratch/gopath GOCACHE=$scratch/go-cache
  export PATH=$GOROOT/bin:$PATH CGO_ENABLED=0 GOFLAGS='' GOPROXY=off
  export GO111MODULE=off # with -mod=vendor Go 1.19 refuses this go.mod, so it is built as a GOPATH
}

# The source package lacks zz_generated.openapi.go, which server-side apply and kubectl need.
generate_openapi() {
  local packages
  go build -o "$scratch/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
  packages=$(grep -rl --include='*.go' '^// *+k8s:openapi-gen=' pkg cmd plugin staging/src/k8s.io \
    | grep -vE 'staging/src/k8s.io/(code-generator|sample-apiserver)/|/testdata/' | xargs -n1 dirname \
    | sed 's#^staging/src/#vendor/#; s#^#k8s.io/kubernetes/#' | LC_ALL=C sort -u | paste -sd,)
  "$scratch/openapi-gen" --logtostderr -i "$packages" -p k8s.io/kubernetes/pkg/generated/openapi \
    -O zz_generated.openapi -h vendor/k8s.io/code-generator/hack/boilerplate.go.txt -r "$scratch/violations" 2>/dev/null
  # Upstream keeps the list of what the generator complains of: the same list means the same packages were seen.
  cmp -s "$scratch/violations" api/api-rules/violation_exceptions.list || fail 'the OpenAPI generated is not upstream'\''s'
}

# The version is stamped under the vendored path, without which /version says 0.0.0.
compile() {
  local package variable variables flags='-s -w'
  variables='gitVersion=v1.20.2 gitMajor=1 gitMinor=20 gitTreeState=clean'
  variables="$variables gitCommit=faecb196815e248d3ecfb03c680a4507229c2a56 buildDate=2021-01-13T13:20:00Z"
  for package in component-base/version client-go/pkg/version; do
    for variable in $variables; do flags="$flags -X k8s.io/kubernetes/vendor/k8s.io/$package.$variable"; done
  done
  go build -trimpath -ldflags "$flags" -o "$scratch/bin/" ./cmd/kube-apiserver ./cmd/kube-controller-manager
}

# The rename is what makes the folder exist: nobody ever sees half a build.
publish() {
  mkdir -p bin/LICENSES
  cp root/usr/bin/etcd bin/etcd
  cp "$source/LICENSE" bin/LICENSES/kubernetes.txt
  cp root/usr/share/doc/etcd-server/copyright bin/LICENSES/etcd.txt
  mv -T bin "$output"
}

if [ ! -d "$output" ]; then
  command -v apt-get >/dev/null && [ -r "$keyring" ] || fail "needs Debian's apt-get and $keyring. \
Elsewhere set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kube-controller-manager"
  mkdir -p "$cache"
  exec 9> "$cache/control-plane.lock"
  flock 9 # a second builder waits here for the first one's result
fi

if [ ! -d "$output" ]; then
  scratch=$(mktemp -d "$cache/control-plane-build.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  source=$scratch/gopath/src/k8s.io/kubernetes
  cd "$scratch"
  say 'reading the package lists'
  private_apt
  say 'downloading'
  download
  say 'unpacking'
  unpack
  use_go
  cd "$source"
  say 'generating OpenAPI'
  generate_openapi
  say 'compiling'
  compile
  cd "$scratch"
  publish
  say 'done'
fi
echo "$output"
