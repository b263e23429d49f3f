"""Long adversarial searches: planned in shards, run anywhere, stored as they come, resumable.

A plan is a fixed, endless list of shards; a shard is a pure function of its description. So neither
the number of workers nor a crash changes what a campaign finds, only when.
"""
