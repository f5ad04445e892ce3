# The image of web, worker and migrate: one build, three commands (docker-compose.yml).
FROM python:3.11-slim-bookworm AS packages
COPY requirements.txt /
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r /requirements.txt

FROM python:3.11-slim-bookworm
RUN useradd --system --create-home --uid 10001 assist
COPY --from=packages /venv /venv
WORKDIR /app
COPY --chown=assist:assist . .
# Model files that are built once are kept here; a volume keeps them over new containers.
RUN mkdir /data && chown assist:assist /data
USER assist
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/data \
    DJANGO_SETTINGS_MODULE=plancover_assist.settings.production
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
    CMD ["python", "scripts/probe.py"]
CMD ["python", "-m", "daphne", "-b", "0.0.0.0", "-p", "8000", "--no-server-name", "plancover_assist.asgi:application"]
