import type { ComponentState, Impact, Incident, Stage, StatusComponent } from '#features/site/contract/status.ts';

export const STATE_WORDS: Record<ComponentState, string> = {
  operational: 'Operational',
  degraded: 'Degraded',
  down: 'Down',
  no_data: 'No data',
};

export const IMPACT_WORDS: Record<Impact, string> = {
  none: 'No impact',
  minor: 'Minor impact',
  major: 'Major impact',
  maintenance: 'Maintenance',
};

export const STAGE_WORDS: Record<Stage, string> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

type Timed = Pick<Incident, 'kind' | 'impact' | 'stage' | 'startsAt' | 'endsAt'>;

export const isPlanned = ({ startsAt }: Timed, now: number): boolean => Date.parse(startsAt) > now;

/** Progress of an incident in one or two words. */
export function progressWords(incident: Timed, now: number): string {
  const { impact, stage, endsAt } = incident;
  // A browser clock behind the server's must not reopen a resolved incident.
  const isOver = endsAt !== null && (stage === 'resolved' || Date.parse(endsAt) <= now);
  if (impact === 'maintenance') {
    if (isPlanned(incident, now)) return stage === 'resolved' ? 'Canceled' : 'Scheduled';
    return isOver ? 'Completed' : 'In progress';
  }
  if (isOver) return 'Resolved';
  return stage === null || stage === 'resolved' ? 'Ongoing' : STAGE_WORDS[stage];
}

/** '1 h 20 min', from minutes. */
export function lengthWords(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), Math.round(minutes % 60)];
  const parts = [days && `${days} d`, hours && `${hours} h`, rest && `${rest} min`].filter(Boolean);
  return parts.length > 0 ? parts.slice(0, 2).join(' ') : 'under a minute';
}

const plain = (percent: number) => `${percent.toLocaleString('en-US', { maximumFractionDigits: 3 })}%`;
export const percentWords = (percent: number | null): string => (percent === null ? 'not measured' : plain(percent));

/** The measured share with its window and target; `since` is the first measured day. */
export function uptimeWords(
  { uptime: { percent, from, measuredMinutes, targetPercent } }: StatusComponent,
  since: string,
): string {
  if (from === null) return 'Not measured yet';
  const measured = `${lengthWords(measuredMinutes)} measured since ${since}`;
  if (percent === null) return `${measured}: too little for a percentage`;
  return `${plain(percent)} uptime, ${measured}. Target ${plain(targetPercent)}`;
}
