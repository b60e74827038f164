"""Have a cluster grade what `softmark grade` would grade here."""

from collections.abc import Mapping
from functools import partial

from graders.batch.cache_key import Settings
from graders.batch.grade_class import Class, Elsewhere
from graders.batch.part_record import digest_of
from graders.cluster.addresses import Cluster
from graders.cluster.machine_report import describe_machine
from graders.cluster.read_answer import receive
from graders.cluster.run_settings import RunSettings
from graders.cluster.spread import spread
from graders.course.course_file import own_course


def on_cluster(
    cluster: Cluster, plan: Class, settings: Settings, facts: Mapping[str, str], corpus: str | None, jobs: int
) -> Elsewhere:
    """What grades submissions on a cluster.

    Args:
        cluster: whose workers grade.
        plan: how they are graded, and how a result is kept.
        settings: of the run.
        facts: what the run's results depend on, by name.
        corpus: what trained models are measured on, where the command line says so.
        jobs: how many processes read and keep results here.
    """
    course = own_course()
    text = course.read_text(encoding="utf-8") if course else None
    run = RunSettings(digest_of(facts), plan.assignment.name, corpus, text, settings)
    here = describe_machine(facts)
    return partial(spread, receive=partial(receive, plan), jobs=jobs, cluster=cluster, run=run, here=here)
