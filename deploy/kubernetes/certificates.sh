#!/bin/sh
# Certificates for what runs in the cluster, of an authority made here, as manifests for the
# component `tls`. Run again with the same folder it makes new ones of the same authority:
# processes take them up while they run. Keep the folder as you keep secrets: whoever has
# its ca.key can pass for any of ours. DAYS=365 is for how long they are good.
# It needs OpenSSL 3.
#   deploy/kubernetes/certificates.sh inner | kubectl apply -n anpai -f -
set -eu
folder=$1
days=${DAYS:-365}

new_key() {
	(umask 077 && openssl genpkey -quiet -algorithm EC \
		-pkeyopt ec_paramgen_curve:P-256 -out "$1")
}

authority() {
	test ! -e "$folder/ca.crt" || return 0
	mkdir -p "$folder"
	new_key "$folder/ca.key"
	openssl req -x509 -new -key "$folder/ca.key" -days 3650 -subj "/CN=Anpai inner" \
		-addext keyUsage=critical,keyCertSign,cRLSign -out "$folder/ca.crt"
}

# Whom: then what it may be, then the names it bears.
certificate() {
	own=$folder/$1
	mkdir -p "$own"
	cp "$folder/ca.crt" "$own/ca.crt"
	new_key "$own/tls.key"
	openssl req -x509 -new -key "$own/tls.key" -CA "$folder/ca.crt" -CAkey "$folder/ca.key" \
		-days "$days" -subj "/CN=$1" -addext basicConstraints=critical,CA:FALSE \
		-addext keyUsage=critical,digitalSignature \
		-addext "extendedKeyUsage=$2" -addext "subjectAltName=$3" -out "$own/tls.crt"
}

secret() {
	echo ---
	kubectl create secret generic "anpai-inner-$1" --type=kubernetes.io/tls \
		--from-file="$folder/$1" --dry-run=client -o yaml
}

authority
# All bear the one name by which pods call each other, and what a port that kubectl forwards
# is called.
for name in matchmaking engine vault bots; do
	certificate "$name" serverAuth,clientAuth "DNS:$name,DNS:anpai,DNS:localhost"
	secret "$name"
done
certificate edge clientAuth DNS:edge
secret edge
# A person's, for `anpai admin`: it becomes no Secret.
certificate operator clientAuth DNS:operator
