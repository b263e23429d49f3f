r"""The paper's experiment, from its own description (app:experiments).

`environment` makes the loss table, the comparator and the delays of a seed; `contenders` names the
learners; `cells` runs one learner on one instance and keeps curves and figures; `store` keeps cells
on disk and `runner` computes those that are missing; `plan` says which are needed. `observations`
turns printed sentences into statements about seeds, and `findings` judges them; `data` (CSV),
`figure` and `page` show what came out. `certificate` says what the printed constants decide before
any run, `totals` how likely the printed total delays are; `sample` makes a claim's subject out of
several seeds, and `empirical` the claims about such subjects. `bench` compares a cell's time with
that of others, such as `plain`.
"""
