"""The paper's statements as theories of the induction kernel, tied to the engine's cases."""
