"""Settings: `base` for the embedded default, `production` for deployments, `test` for the suite."""
