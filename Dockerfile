# The server without its embedded database: DATABASE_URL names a PostgreSQL (15 or newer).
FROM python:3.11-slim

WORKDIR /srv/diskwars
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY protocol protocol
COPY server server
COPY clients/python clients/python
COPY docs/rules.md docs/rules.md
RUN pip install --no-cache-dir --constraint requirements.lock ".[server,fast]"

RUN useradd --system --no-create-home diskwars
USER diskwars
EXPOSE 8765
CMD ["diskwars", "serve", "--host", "0.0.0.0"]
