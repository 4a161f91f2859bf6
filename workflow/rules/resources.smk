# What jobs ask of a cluster, from measurements (penalized_bandits/plan.py), and what a dry
# run says of the whole.  At each attempt a job asks for more.
import sys

from penalized_bandits.plan import BUNDLED_COUNTS, USUAL, Plan


def rating_counts():
    """The table of rating counts, or what would be taken without a network."""
    made = RESULTS / "movielens/rating_counts.csv"
    # A damaged one is for the job that needs it to complain of.
    if made.is_file() and unharmed(made):
        return str(made)
    wanted = CONFIG.movielens
    bundled = wanted.source != "table" and wanted.dataset == DEFAULT_DATASET
    return str(BUNDLED_COUNTS) if bundled else None


PLAN = Plan(CONFIG, rating_counts())


def simulation_mb(wildcards, attempt):
    """Megabytes of a job that simulates."""
    return attempt * PLAN.simulation(wildcards.setting, wildcards.group).mb


def simulation_minutes(wildcards, attempt):
    """Minutes of a job that simulates."""
    return attempt * PLAN.simulation(wildcards.setting, wildcards.group).minutes


def everything_mb(wildcards, attempt):
    """Megabytes of the job that simulates everything."""
    return attempt * PLAN.everything().mb


def everything_minutes(wildcards, attempt):
    """Minutes of the job that simulates everything."""
    return attempt * PLAN.everything().minutes


def flipped_mb(readings):
    """Megabytes of the job that simulates with some readings flipped, one at a time."""
    return lambda wildcards, attempt: (attempt * PLAN.flips(touched_by(readings)).mb)


def flipped_minutes(readings):
    """Minutes of the job that simulates with some readings flipped, one at a time."""
    return lambda wildcards, attempt: (
        attempt * PLAN.flips(touched_by(readings)).minutes
    )


def summary_mb(wildcards, attempt):
    """Megabytes of a job that summarises an experiment's replicates."""
    return attempt * PLAN.summary(summarised(wildcards)).mb


def summary_minutes(wildcards, attempt):
    """Minutes of a job that summarises an experiment's replicates."""
    return attempt * PLAN.summary(summarised(wildcards)).minutes


def summarised(wildcards):
    """The experiment that a summary is of: a setting, or a study."""
    return wildcards.get("setting") or wildcards.study


def claims_mb(wildcards, attempt):
    """Megabytes of a job that decides the claims of a topic."""
    return attempt * PLAN.claims(experiments_of(wildcards.topic)).mb


def claims_minutes(wildcards, attempt):
    """Minutes of a job that decides the claims of a topic."""
    return attempt * PLAN.claims(experiments_of(wildcards.topic)).minutes


def readings_mb(wildcards, attempt):
    """Megabytes of the job that decides claims with each reading flipped."""
    return attempt * PLAN.readings(switches.experiments_needed(switches.DEFAULT)).mb


def readings_minutes(wildcards, attempt):
    """Minutes of the job that decides claims with each reading flipped."""
    return (
        attempt * PLAN.readings(switches.experiments_needed(switches.DEFAULT)).minutes
    )


def extension_mb(wildcards, attempt):
    """Megabytes of a job that simulates beyond the paper."""
    return attempt * PLAN.simulation(wildcards.extension, wildcards.group).mb


def extension_minutes(wildcards, attempt):
    """Minutes of a job that simulates beyond the paper."""
    return attempt * PLAN.simulation(wildcards.extension, wildcards.group).minutes


def extension_summary_mb(wildcards, attempt):
    """Megabytes of a job that summarises an experiment beyond the paper."""
    return attempt * PLAN.summary(wildcards.extension).mb


def extension_summary_minutes(wildcards, attempt):
    """Minutes of a job that summarises an experiment beyond the paper."""
    return attempt * PLAN.summary(wildcards.extension).minutes


def comparison_mb(wildcards, attempt):
    """Megabytes of the job that compares all policies."""
    return attempt * PLAN.claims(CONFIG.extensions).mb


def comparison_minutes(wildcards, attempt):
    """Minutes of the job that compares all policies."""
    return attempt * PLAN.claims(CONFIG.extensions).minutes


def usual_mb(wildcards, attempt):
    """Megabytes of a job that has little to hold."""
    return attempt * USUAL.mb


def usual_minutes(wildcards, attempt):
    """Minutes of a job that takes seconds."""
    return attempt * USUAL.minutes


# Not to standard output, where a dry run's own lines are, and tables or JSON that are asked for.
if (
    workflow.is_main_process
    and workflow.output_settings.dryrun
    and Quietness.ALL not in (workflow.output_settings.quiet or ())
):
    print(PLAN.describe(), file=sys.stderr, flush=True)
