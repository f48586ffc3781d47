import type {
  readEvents,
  readInflation,
  readInflationForecasts,
  readInflationReleases,
  readInflationSentiment,
} from '#features/api/contract.ts';

import { agoOf, figureLines, lines, type ReplyOf, type Teller } from '../say.ts';

const percentPoint = (value: number | null): string => (value === null ? 'not known' : `${value.toFixed(2)} %`);

export const sayEvents = ({ events }: ReplyOf<typeof readEvents>, { now }: Teller): string =>
  events.length === 0
    ? 'No events are known.'
    : lines(
        events.map(
          ({ title, date, allDay, dateEstimated, impact, source, checkedAt, status }) =>
            `${allDay ? date.slice(0, 10) : date} ${title ?? 'without a title'}, ${impact} impact${status === 'past' ? ', past' : ''}${dateEstimated ? ', date estimated' : ''} (${source ?? 'source not named'}, read ${agoOf(checkedAt, now())})`,
        ),
        20,
        'events in this answer',
      );

export function sayInflation({ cpi, pce, ppi, note }: ReplyOf<typeof readInflation>, teller: Teller): string {
  const parts = [
    ['CPI', cpi],
    ['PCE', pce],
    ['PPI', ppi],
  ] as const;
  const said = parts.flatMap(([name, part]) => [
    `${name}${part?.period ? ` of ${part.period}, released ${part.date ?? 'on a day not known'}` : ''}:`,
    ...(part ? figureLines(part, teller) : ['not known yet']),
  ]);
  return [...said, ...(note === null ? [] : [note])].join('\n');
}

export function sayReleases({ releases, next }: ReplyOf<typeof readInflationReleases>, { now }: Teller): string {
  const past = releases.map(
    ({ type, period, releasedAt, source }) => `${type} of ${period} (${source}, ${agoOf(releasedAt, now())})`,
  );
  const coming = next.map(
    ({ type, period, date, source, estimated }) =>
      `next ${type.toUpperCase()} of ${period}: ${date}${estimated ? ', estimated' : ''} (${source})`,
  );
  return lines([...past, ...coming], 30, 'releases');
}

export function sayForecasts({ forecasts }: ReplyOf<typeof readInflationForecasts>, { now }: Teller): string {
  const said = (['cpi', 'pce'] as const).map((name) => {
    const { period, entries } = forecasts[name];
    const each = entries.map(
      ({ name: who, prediction, issued_at }) =>
        `${percentPoint(prediction)} a month (${who}, ${agoOf(issued_at, now())})`,
    );
    return `${name.toUpperCase()}${period ? ` of ${period}` : ''}: ${each.join('; ') || 'nobody has spoken yet'}`;
  });
  return said.join('\n');
}

export function saySentiment({ data }: ReplyOf<typeof readInflationSentiment>, teller: Teller): string {
  if (!data || data.sentiment === null) return 'There are not figures enough for a sentiment.';
  const means = data.marketImpact?.description ?? '';
  return [`${data.sentiment.replaceAll('_', ' ')}. ${means}`, ...figureLines({ ...data }, teller)].join('\n');
}
