"""Files in and out: bounded and exact JSON, checked fields, schemas. Nothing here judges."""
