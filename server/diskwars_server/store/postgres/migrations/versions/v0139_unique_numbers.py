"""Numbers of reports and of acts of operators differ by an index; those that were given twice get one of their own."""

from alembic import op

revision = "0139"
down_revision = "0138"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table, about in (("reports", "match_id"), ("operator_acts", "target")):
        op.execute(f"lock table {table} in exclusive mode")
        # The one that came first keeps the number; acts that get a later one are read once more by every node.
        op.execute(
            f"""
            update {table} set number = doubled.last + doubled.place
            from (
                select {about}, number, at, row_number() over (order by at, {about}) as place,
                    (select max(number) from {table}) as last
                from (
                    select {about}, number, at, row_number() over (partition by number order by at, {about}) as copy
                    from {table}
                ) as numbered
                where copy > 1
            ) as doubled
            where {table}.{about} = doubled.{about} and {table}.number = doubled.number
            """
        )
        op.drop_index(f"{table}_numbers", table)
        op.create_index(f"{table}_numbers", table, ["number"], unique=True)
