#!/bin/sh
# Writes the secrets of compose.yaml into the folder `secrets` beside it, all of them random. Others on this
# machine cannot enter the folder; the users of the containers can read the files that are mounted.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "secrets exists already: remove it for new ones, and the volume of Redis with it." >&2
  exit 1
fi

random() {
  head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \n'
}

umask 077
mkdir secrets
redis=$(random)
prometheus=$(random)
cat > secrets/gateway.env <<END
REDIS_URL=redis://:$redis@redis:6379
# The first API key. Further ones: docker compose exec gateway-1 dragoman keys create --id team
FIRST_KEY=dgm_$(random)
# The role admin at the admin address.
DRAGOMAN_ADMIN_TOKEN=$(random)
# The role viewer, for /metrics.
PROMETHEUS_TOKEN=$prometheus
# Seals the credentials of accounts that the admin API creates.
DRAGOMAN_SECRET_KEY=$(random)
# The keys of your accounts:
# OPENAI_API_KEY=
END
echo "requirepass $redis" > secrets/redis.conf
printf %s "$prometheus" > secrets/prometheus-token
random > secrets/grafana-password
chmod 444 secrets/redis.conf secrets/prometheus-token secrets/grafana-password
echo "secrets/gateway.env has the first API key (FIRST_KEY) and the admin token (DRAGOMAN_ADMIN_TOKEN)."
