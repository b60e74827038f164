"""Have a cluster grade what would be graded here."""

from functools import partial

from graders.batch.class_run import ClassRun
from graders.batch.grade_all import Elsewhere
from graders.batch.kept_course import text_to_keep
from graders.batch.part_record import digest_of
from graders.cluster.addresses import Cluster
from graders.cluster.machine_report import describe_machine
from graders.cluster.packed_course import pack_course
from graders.cluster.read_answer import receive
from graders.cluster.run_settings import RunSettings
from graders.cluster.spread import spread


def on_cluster(cluster: Cluster, run: ClassRun) -> Elsewhere:
    """What grades the submissions of a run on a cluster.

    For a class it is `ClassOptions(elsewhere=partial(on_cluster, cluster))`.

    Args:
        cluster: whose workers grade.
        run: what is graded, and how a result is kept.
    """
    settings = RunSettings(
        key=digest_of(run.facts),
        assignment=run.plan.assignment.name,
        corpus=run.corpus,
        course=text_to_keep(),
        course_files=pack_course(),
        settings=run.settings,
    )
    return partial(
        spread,
        receive=partial(receive, run.plan),
        jobs=run.jobs,
        cluster=cluster,
        run=settings,
        here=describe_machine(run.facts),
    )
