#!/usr/bin/env bash
# Runs a command with TEST_DATABASE_URL set to a throw-away cluster of Debian's PostgreSQL.
set -eu
BIN=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
DIR=$(mktemp -d)
SERVER_PORT=${TEST_POSTGRES_PORT:-15432}
as_server() {
  if [ "$(id -u)" = 0 ]; then su postgres -s /bin/bash -c "$1"; else bash -c "$1"; fi
}
[ "$(id -u)" = 0 ] && chown postgres "$DIR"
stop() {
  as_server "$BIN/pg_ctl -D $DIR/data -m immediate stop >/dev/null 2>&1" || true
  rm -rf "$DIR"
}
trap stop EXIT
as_server "$BIN/initdb -D $DIR/data -U postgres -A trust -E UTF8 --locale=C >/dev/null"
as_server "$BIN/pg_ctl -D $DIR/data -w -l $DIR/log -o '-p $SERVER_PORT -c listen_addresses=127.0.0.1 -c unix_socket_directories=$DIR -c fsync=off -c max_connections=250' start >/dev/null"
export TEST_DATABASE_URL="postgres://postgres@127.0.0.1:$SERVER_PORT/postgres"
"$@"
