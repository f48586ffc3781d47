import type { createRule, previewRule, readAccount, readAlerts, readThresholds } from '#features/api/contract.ts';

import { agoOf, cited, lines, type ReplyOf, type Teller } from '../say.ts';

type Rule = ReplyOf<typeof createRule>;

export const sayAlerts = ({ alerts }: ReplyOf<typeof readAlerts>, { nameOf, now }: Teller): string =>
  alerts.length === 0
    ? 'No alerts were raised.'
    : lines(
        alerts.map(
          ({ severity, message, timestamp, meta }) =>
            `${severity}: ${message}, raised ${agoOf(timestamp, now())} (${nameOf(meta.source)}, observed ${meta.observedAt})`,
        ),
        20,
        'alerts in this answer',
      );

const ruleLine = ({ id, name, metric, condition, value, unit, state, note, current }: Rule, teller: Teller): string =>
  `#${id} ${name}: ${metric} ${condition.replaceAll('_', ' ')} ${value} ${unit}, ${state}${note === null ? '' : ` (${note})`}${current ? `; now ${current.value}${cited(current.meta, teller)}` : ''}`;

export const sayRules = ({ thresholds }: ReplyOf<typeof readThresholds>, teller: Teller): string =>
  thresholds.length === 0
    ? 'There are no alert rules.'
    : lines(
        thresholds.map((rule) => ruleLine(rule, teller)),
        50,
        'rules in this answer',
      );

export const sayCreated = (rule: ReplyOf<typeof createRule>, teller: Teller): string =>
  `Created: ${ruleLine(rule, teller)}. It is judged ${rule.cadence}.`;

export function sayPreview(preview: ReplyOf<typeof previewRule>, { nameOf }: Teller): string {
  const { absent, fireCount, days, perWeek, suppressed, tried, after } = preview;
  if (absent !== null) return `Not tried: ${absent}`;
  const from = tried.map(({ source, grain }) => `${nameOf(source)}, ${grain}`).join('; ');
  const often = perWeek === null ? '' : `, ${perWeek.toFixed(1)} a week`;
  const quiet = suppressed > 0 ? ` ${suppressed} more were kept quiet by its options.` : '';
  return `Over ${days.toFixed(0)} days of stored values (${from}) it would have fired ${fireCount} times${often}.${quiet} What ${after.asset} did in the 24 h after a fire, against all days: ${after.verdict}. Nothing was saved.`;
}

export const sayAccount = ({ subscriptionStatus, scopes }: ReplyOf<typeof readAccount>): string =>
  `Plan ${subscriptionStatus?.planName ?? 'not known'}; the key may use ${scopes.join(', ')}.`;
