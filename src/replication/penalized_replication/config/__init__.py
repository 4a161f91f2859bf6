"""The config: what it may say, and errors that name the key, the value and the remedy."""

from penalized_replication.config.model import BaseConfig, parse_config

__all__ = ["BaseConfig", "parse_config"]
