#!/bin/sh
# Everything secret of a new cluster, as manifests: each service's own keys, its way to the
# store with a password made here, and the store's users, `operator` among them, who is
# you. Run it once, and keep what it prints as you keep secrets: run again it makes other
# passwords.
#   python -m services --new-keys keys
#   deploy/kubernetes/secrets.sh keys store:6379 | kubectl apply -n anpai -f -
set -eu
keys=$1
store=$2
users="user default on nopass resetchannels -@all +ping"

secret() {
	echo ---
	kubectl create secret generic "$@" --dry-run=client -o yaml
}

for service in matchmaking engine vault; do
	password=$(openssl rand -hex 24)
	users="$users
user $service on >$password resetchannels ~$service:* &$service:* +@all -@admin -@dangerous -scan -randomkey -dbsize"
	secret "anpai-$service" --from-file="$keys/$service" \
		--from-literal=store-url="redis://$service:$password@$store/0"
done
secret anpai-bots --from-file="$keys/bots"
password=$(openssl rand -hex 24)
users="$users
user operator on >$password ~* &* +@all"
secret anpai-store --from-literal=operator="$password" --from-literal=users.acl="$users
"
