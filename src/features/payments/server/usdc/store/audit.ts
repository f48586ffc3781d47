import { sql } from 'kysely';

import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

type Finding = { what: string; detail: string };

/** Violations of ledger rules, one per row; none when all hold. */
export async function findBroken(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    select 'An entry does not balance' as what, key || ': ' || sum(units) as detail
      from postings group by key having sum(units) <> 0
    union all
    select 'A network differs from its credited deposits', coalesce(b.network, d.network) || ': ' || coalesce(b.units, 0) || ' booked, ' || coalesce(d.units, 0) || ' credited'
      from (select substr(account, 7) as network, sum(units) as units from postings where account like 'chain:%' group by 1) b
      full join (select network, sum(units) as units from usdc_deposits where is_credited group by 1) d on d.network = b.network
      where coalesce(b.units, 0) <> coalesce(d.units, 0)
    union all
    select 'Stripe differs from its invoices', coalesce(b.units, 0) || ' booked, ' || coalesce(i.units, 0) || ' paid'
      from (select sum(units) as units from postings where account = 'stripe') b,
        (select sum(units_paid - units_refunded) as units from card_invoices) i
      where coalesce(b.units, 0) <> coalesce(i.units, 0)
    union all
    select 'A balance is below zero', account || ': ' || -sum(units)
      from postings where account like 'credit:%' group by account having sum(units) > 0
    union all
    select 'A payment bought its plan without a grant', p.id || ':' || p.applications
      from usdc_payments p where p.applied_at is not null and not exists (
        select from plan_grants g where g.source = 'wallet:' || p.id || ':' || p.applications
          and not exists (select from plan_grant_revocations r where r.source = g.source))
    union all
    select 'A grant has no payment', g.source
      from plan_grants g where g.source like 'wallet:%'
        and not exists (select from plan_grant_revocations r where r.source = g.source)
        and not exists (select from usdc_payments p where p.applied_at is not null
          and g.source = 'wallet:' || p.id || ':' || p.applications)
    union all
    select 'A purchase and its entry differ', coalesce(p.name, j.name)
      from (select id || ':' || applications as name from usdc_payments where applied_at is not null) p
      full join (select substr(a.key, 7) as name from journal a where a.key like 'apply:%'
        and not exists (select from journal u where u.key = 'un' || a.key)) j on j.name = p.name
      where p.name is null or j.name is null
    union all
    select 'A deposit and its entries differ', coalesce(d.name, j.name)
      from (select network || ':' || tx || ':' || idx || ':' || generation as name, units from usdc_deposits where is_credited) d
      full join (select substr(a.key, 5) as name, (select units from postings p where p.key = a.key and p.account like 'chain:%') as units
        from journal a where a.key like 'dep:%'
        and not exists (select from journal r where r.key = 'rev:' || substr(a.key, 5))) j on j.name = d.name
      where d.name is null or j.name is null or d.units <> j.units
    union all
    select 'A transfer is credited more than once', regexp_replace(key, '^(dep|rev):(.*):[0-9]+$', '\\2')
      from journal where key like 'dep:%' or key like 'rev:%'
      group by 2 having sum(case when key like 'dep:%' then 1 else -1 end) not between 0 and 1
    union all
    select 'What is no USDC of ours is credited', network || ':' || tx || ':' || idx
      from usdc_deposits where is_credited and state in ('foreign', 'orphaned')`.execute(db);
  return rows;
}

/** Amount one ledger entry posted to an account; 0 when there is none. */
export async function postedIn(db: Db, key: string, account: string): Promise<Units> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(units), 0)::text as sum from postings
    where key = ${key} and account = ${account}`.execute(db);
  return BigInt(rows[0]?.sum ?? 0);
}

/** Outstanding loss of one deposit. */
export async function readLostUnits(db: Db, deposit: string): Promise<Units> {
  const { rows } = await sql<{ sum: string }>`select coalesce(sum(units), 0)::text as sum from postings
    where account = 'loss' and (key like ${`loss:${deposit}:%`} or key like ${`unloss:${deposit}:%`})`.execute(db);
  return BigInt(rows[0]?.sum ?? 0);
}
