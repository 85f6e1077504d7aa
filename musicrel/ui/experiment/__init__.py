"""The Experiment page: the list of studies, the form, one study, and the jobs that run them."""
