"""The report as a small site: findings, statements, all claims, all steps, stronger forms."""
