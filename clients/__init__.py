"""What people and bots play with; they see only the SDK and services.local."""
