r"""The paper's experiment, from its own description (app:experiments).

`environment` makes the loss table, the comparator and the delays of a seed; `learners` names the
learners; `cells` runs one learner on one instance and keeps curves and figures; `plan` says which
cells are needed. `observations` turns printed sentences into
statements about seeds, `findings` judges them, and `page` shows what came out. `printed_constants`
says what the constants decide before any run, `total_delays` how likely the printed total delays
are; `sample` makes a claim's subject out of several seeds.
"""
