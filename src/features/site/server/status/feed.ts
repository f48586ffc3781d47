import { COMPONENT_NAMES, type Incident, type Stage, type Status } from '#features/site/contract/status.ts';
import { BRAND } from '#shared/brand.ts';

/** Characters not allowed in XML 1.0 are removed. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const escaped = (text: string) =>
  text
    .replaceAll(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const STAGES: Record<Stage, string> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

const minute = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** When an incident last changed. */
export const changedAt = ({ startsAt, endsAt, updates, impact }: Incident): string => {
  const end = impact === 'maintenance' ? [] : [endsAt];
  return [startsAt, ...end, ...updates.map(({ at }) => at)].reduce(
    (last: string, at) => (at && at > last ? at : last),
    '',
  );
};

function incidentText({ kind, components, startsAt, endsAt, updates }: Incident): string {
  const parts = components.map((id) => COMPONENT_NAMES[id]).join(', ');
  return [
    `${kind === 'measured' ? 'Measured' : 'From'} ${minute(startsAt)}${endsAt ? ` to ${minute(endsAt)}` : ''}.`,
    ...(parts ? [`Components: ${parts}.`] : []),
    ...updates.map(({ at, stage, message }) => `${minute(at)}, ${STAGES[stage]}: ${message}`),
  ].join('\n');
}

/** The incidents of the window as an Atom feed. */
export function atomFeed({ incidents }: Status, origin: string, now: Date): string {
  const newest = incidents.map(changedAt).reduce((last, at) => (at > last ? at : last), '');
  const entries = incidents.map((incident) => {
    const link = `${origin}/status#incident-${incident.id}`;
    return `<entry><id>${escaped(link)}</id><title>${escaped(incident.title)}</title><link href="${escaped(link)}"/><published>${incident.startsAt}</published><updated>${changedAt(incident)}</updated><content type="text">${escaped(incidentText(incident))}</content></entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${escaped(origin)}/status</id><title>${escaped(BRAND.name)} status</title><subtitle>Incidents and maintenance</subtitle><author><name>${escaped(BRAND.name)}</name></author><link rel="self" href="${escaped(origin)}/status.atom"/><link href="${escaped(origin)}/status"/><updated>${newest || now.toISOString()}</updated>${entries.join('')}</feed>
`;
}
