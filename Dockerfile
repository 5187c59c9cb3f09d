# The server and its page, without its embedded database: DATABASE_URL names a PostgreSQL (15 or newer).
FROM node:22-slim AS page

WORKDIR /srv/diskwars/clients/web
COPY clients/web ./
# What the page has of the packages: its build stops without.
COPY server/diskwars_content/puzzles/files /srv/diskwars/server/diskwars_content/puzzles/files
RUN npm ci --ignore-scripts --no-audit --no-fund && npm run --silent build

FROM python:3.11-slim

# For the words in pictures of boards.
RUN apt-get update && apt-get install --yes --no-install-recommends fonts-dejavu-core && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/diskwars
# First, so that a change of the code downloads nothing again.
COPY deploy/requirements-image.txt deploy/
RUN pip install --no-cache-dir --require-hashes --requirement deploy/requirements-image.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY protocol protocol
COPY server server
COPY clients/python clients/python
COPY --from=page /srv/diskwars/clients/python/diskwars_cli/page clients/python/diskwars_cli/page
COPY clients/web/src/rules/figures clients/web/src/rules/figures
COPY clients/web/src/rulesets/diskwars/lessons/boards clients/web/src/rulesets/diskwars/lessons/boards
COPY clients/web/src/rulesets/small/lessons/boards clients/web/src/rulesets/small/lessons/boards
COPY docs/rules*.md docs/
# The folder itself has no hash: nothing is downloaded for it.
RUN pip install --no-cache-dir --no-deps --no-build-isolation --no-index .

RUN useradd --system --no-create-home diskwars
USER diskwars
EXPOSE 8765
CMD ["diskwars", "serve", "--host", "0.0.0.0"]
