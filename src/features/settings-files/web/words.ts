import type { ImportReply } from '../contract.ts';

const alerts = (n: number): string => `${n} ${n === 1 ? 'alert' : 'alerts'}`;

/** True when the import leaves everything as it is. */
export const isNothing = ({ rules, notifications }: ImportReply): boolean =>
  rules.added === 0 && rules.removed === 0 && notifications.length === 0;

/** '2 alerts added, 1 alert removed, 3 alerts kept. 1 notification setting changed.' */
export function changeWords({ rules: { added, removed, kept }, notifications }: ImportReply): string {
  const counts = [
    added > 0 && `${alerts(added)} added`,
    removed > 0 && `${alerts(removed)} removed`,
    kept > 0 && `${alerts(kept)} kept`,
  ].filter(Boolean);
  const first = counts.length > 0 ? [`${counts.join(', ')}.`] : [];
  const n = notifications.length;
  const second = n > 0 ? [`${n} notification ${n === 1 ? 'setting' : 'settings'} changed.`] : [];
  return [...first, ...second].join(' ');
}
