# The API, for production. Like any server it needs CASSANDRA_CONTACT_POINTS and ACCESS_TOKEN_SECRET; see .env.example.
#   docker build -t social-e-library .

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS web
WORKDIR /app/examples/web
COPY examples/web/package.json examples/web/package-lock.json examples/web/.npmrc ./
RUN npm ci
COPY schema.graphql /app/
COPY examples/web .
RUN npm run build

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# What Node has compiled is kept in the container, for its next start. Arenas of malloc's for each thread would take 10 MB more.
ENV NODE_ENV=production HOST=0.0.0.0 NODE_COMPILE_CACHE=/tmp/compiled MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
COPY --from=web /app/examples/web/dist examples/web/dist
# In development a server keeps there the secret that it makes for itself, and the rows that an import refused; in
# production the ids of deleted accounts (ERASED_IDS_FILE). Nothing else of the image is written to.
RUN install -d -o node -g node .cassandra /var/lib/social-e-library
USER node
EXPOSE 4000

# Without npm in between, a SIGTERM comes to the server itself, which ends well.
CMD ["node", "src/main.ts"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=300s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT || 4000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
