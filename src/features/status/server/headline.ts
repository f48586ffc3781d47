import type { Incident, Status, StatusComponent } from '../contract.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });
const names = (components: readonly StatusComponent[]) => list.format(components.map(({ name }) => name));

/** A written incident is over when it was resolved, a maintenance also when its time has passed. */
export const isOngoing = ({ startsAt, endsAt }: Incident, now: number): boolean =>
  Date.parse(startsAt) <= now && (endsAt === null || Date.parse(endsAt) > now);

/** The state now in one sentence: what is measured comes before what is written. */
export function headlineOf(
  components: readonly StatusComponent[],
  incidents: readonly Incident[],
  now: number,
): Pick<Status, 'state' | 'headline'> {
  const down = components.filter(({ state }) => state === 'down');
  const degraded = components.filter(({ state }) => state === 'degraded');
  const ongoing = incidents.filter((incident) => incident.kind === 'written' && isOngoing(incident, now));
  const major = ongoing.find(({ impact }) => impact === 'major');
  const minor = ongoing.find(({ impact }) => impact === 'minor');
  const maintenance = ongoing.find(({ impact }) => impact === 'maintenance');
  if (down.length > 0) return { state: 'down', headline: `Not working now: ${names(down)}` };
  if (major) return { state: 'down', headline: major.title };
  if (degraded.length > 0) return { state: 'degraded', headline: `Degraded now: ${names(degraded)}` };
  if (minor) return { state: 'degraded', headline: minor.title };
  if (maintenance) return { state: 'maintenance', headline: `Maintenance now: ${maintenance.title}` };
  const unknown = components.filter(({ state }) => state === 'no_data');
  if (unknown.length === 0) return { state: 'operational', headline: 'Everything is working' };
  return { state: 'no_data', headline: `What is measured is working; no data on ${names(unknown)}` };
}
