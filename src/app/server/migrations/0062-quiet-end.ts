import { type Kysely, sql } from 'kysely';

/**
 * A clock put back may show the minute before quiet hours start once more, at any quarter of an hour of them.
 * Clocks change at quarters of an hour only, so every one of them is a candidate besides the end itself.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function quiet_end(at timestamptz, zone text, starts time, ends time) returns timestamptz language plpgsql stable as $$
    declare
      here timestamp := at at time zone zone;
      ending timestamptz;
    begin
      if not is_quiet(here::time, starts, ends) then return at; end if;
      ending := (here::date + ends + case when here::time >= ends then interval '1 day' else interval '0' end) at time zone zone;
      return coalesce((select min(moment) from (
          select ending as moment
          union all select ending - n * interval '30 minutes' from generate_series(1, 4) n
          union all select generate_series(date_bin('15 minutes', at, timestamptz 'epoch') + interval '15 minutes', ending, interval '15 minutes')
        ) each where moment > at and not is_quiet((moment at time zone zone)::time, starts, ends)), ending);
    exception when invalid_parameter_value then
      return at;
    end $$`.execute(db);
}
