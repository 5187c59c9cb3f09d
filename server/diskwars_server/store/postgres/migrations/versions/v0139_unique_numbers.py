"""Numbers of reports and of acts of operators differ by an index; reports that share a number get one of their own."""

from alembic import op
from sqlalchemy import text

from diskwars_server.store.errors import StoreError

revision = "0139"
down_revision = "0138"
branch_labels = None
depends_on = None

# Nodes of the version before close a report with the lock of acts, and then change the report: in the other order the
# two would wait for each other. Dropping an index needs the strongest lock, which is no lock to wait for halfway.
LOCK_SQL = "lock table operator_acts, reports in access exclusive mode"
DOUBLE_ACT_SQL = "select number from operator_acts group by number having count(*) > 1 order by number limit 1"
# The report that came first keeps the number. An act that closed reports names one of them in its detail: the one that
# is about its target, or else the first. `reports.closed_by` is the number of an act, and those stay.
RENUMBER_SQL = """
with copies as (
    select match_id, number, at, closed_by, case kind when 'match' then player_id else match_id end as about,
        row_number() over (partition by number order by at, match_id) as copy
    from reports
), given as (
    select *, case copy when 1 then number else (select max(number) from reports)
        + count(*) filter (where copy > 1) over (order by at, match_id, number) end as own
    from copies
), named as (
    select distinct on (acts.number) acts.target, acts.number, given.own
    from operator_acts acts join given on given.closed_by = acts.number
    where acts.kind = 'close_report'
    order by acts.number, given.about = acts.target desc, given.copy
), renumbered as (
    update reports set number = given.own from given
    where reports.match_id = given.match_id and reports.number = given.number and given.copy > 1
)
update operator_acts acts set detail = 'report ' || named.own from named
where acts.target = named.target and acts.number = named.number and acts.detail <> 'report ' || named.own
"""


def upgrade() -> None:
    op.execute(LOCK_SQL)
    # Acts were always numbered under a lock, and nodes read on after the last number: none may get another one.
    if (number := op.get_bind().scalar(text(DOUBLE_ACT_SQL))) is not None:
        raise StoreError(
            f"two rows of the table operator_acts have the number {number}, which this program never gives twice: "
            "restore a backup, or remove the row that was added by hand"
        )
    op.execute(RENUMBER_SQL)
    for table in ("reports", "operator_acts"):
        op.drop_index(f"{table}_numbers", table)
        op.create_index(f"{table}_numbers", table, ["number"], unique=True)
