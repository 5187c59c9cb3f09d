# The server and its page, without its embedded database: DATABASE_URL names a PostgreSQL (15 or newer).
FROM node:22-slim AS page

WORKDIR /srv/diskwars/clients/web
COPY clients/web ./
RUN npm ci --ignore-scripts --no-audit --no-fund && npm run --silent build

FROM python:3.11-slim

WORKDIR /srv/diskwars
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY protocol protocol
COPY server server
COPY clients/python clients/python
COPY --from=page /srv/diskwars/clients/python/diskwars_cli/page clients/python/diskwars_cli/page
COPY docs/rules*.md docs/
RUN pip install --no-cache-dir --constraint requirements.lock ".[server,fast]"

RUN useradd --system --no-create-home diskwars
USER diskwars
EXPOSE 8765
CMD ["diskwars", "serve", "--host", "0.0.0.0"]
