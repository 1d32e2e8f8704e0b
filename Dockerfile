# The server without the embedded Postgres and Valkey: it is given its own by RUMMY500_DATABASE_URL and RUMMY500_REDIS_URL.
FROM python:3.13-slim-bookworm AS build

WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY server ./server
RUN python -m venv /opt/rummy500 \
    && /opt/rummy500/bin/pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt .

FROM python:3.13-slim-bookworm

RUN useradd --system --uid 10500 --home-dir /nonexistent --shell /usr/sbin/nologin rummy500
COPY --from=build /opt/rummy500 /opt/rummy500
COPY server /app/server
COPY clients/reference_js /app/clients/reference_js

ENV PATH=/opt/rummy500/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    RUMMY500_HOST=0.0.0.0 \
    RUMMY500_LOG=json

WORKDIR /app
USER 10500
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=3)"]
CMD ["rummy500", "serve"]
