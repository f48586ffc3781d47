import { percent } from '#shared/format.ts';
import { cx } from '#web/ui/cx.ts';

import type { Forecast, ForecastEntry, ForecastScore } from '../contract.ts';
import { Heads } from './heads.tsx';
import { monthOf, rate } from './words.ts';

const RELEASES_SHOWN = 4;
const MINUS = '\u2212';

const size = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
const signed = (value: number | null): string => {
  if (value === null) return '–';
  const text = Math.abs(value).toFixed(2);
  if (Number(text) === 0) return text;
  return `${value < 0 ? MINUS : '+'}${text}`;
};

/** How good each forecaster was, beside what anybody could have said, and what was said of the last releases. */
export function ForecastRecord({ of, forecast: { scores, past } }: { of: string; forecast: Forecast }) {
  return (
    <div className="mt-1.5 grid gap-2 overflow-x-auto">
      <table className="num w-full">
        <caption className="pb-1 text-left">
          Mean absolute error on first prints of {of}, in percentage points, over the n months each spoke of. Below the
          numbers stand intervals of 99 in 100, from eight months on; “ahead” or “behind” of the last value takes 60.
        </caption>
        <Heads names={['Forecaster', 'Says', 'n', 'Error', 'Against last value']} />
        <tbody>
          {scores.map((score) => (
            <Score key={score.forecaster} score={score} />
          ))}
        </tbody>
      </table>
      {past.length > 0 && <Past of={of} past={past} />}
    </div>
  );
}

const TONES = { ahead: 'text-up', behind: 'text-down', 'no evidence': 'text-ink-3', 'too few': 'text-ink-3' } as const;

function Score({ score: { name, yardstick, says, n, mae, low, high, skill } }: { score: ForecastScore }) {
  return (
    <tr className="border-t border-line text-right align-top">
      <th scope="row" className={cx('py-1 text-left font-medium', yardstick ? 'text-ink-2' : 'text-ink')}>
        {name}
      </th>
      <td className="px-1 py-1">{says === null ? '–' : percent(says)}</td>
      <td className="px-1 py-1">{n}</td>
      <td className="px-1 py-1">
        <b className="font-semibold">{size(mae)}</b>
        {low !== null && high !== null && (
          <span className="block text-2xs whitespace-nowrap text-ink-3">
            {size(low)} to {size(high)}
          </span>
        )}
      </td>
      <td className="py-1">
        {skill ? (
          <>
            {signed(skill.difference)} <span className={TONES[skill.verdict]}>{skill.verdict}</span>
            {skill.low !== null && skill.high !== null && (
              <span className="block text-2xs whitespace-nowrap text-ink-3">
                {signed(skill.low)} to {signed(skill.high)}
              </span>
            )}
          </>
        ) : (
          '–'
        )}
      </td>
    </tr>
  );
}

function Past({ of, past }: { of: string; past: readonly ForecastEntry[] }) {
  const releases = [...Map.groupBy(past, ({ period }) => period)].slice(0, RELEASES_SHOWN);
  return (
    <ul aria-label={`Past forecasts of ${of}`} className="num grid gap-0.5">
      {releases.map(([period, said]) => {
        const actual = said[0]?.actual ?? null;
        return (
          <li key={period}>
            <b className="font-medium text-ink">
              {monthOf(period)}, {actual === null ? 'not graded' : `it was ${rate(actual)}`}
            </b>
            : {said.map(({ name, prediction }) => `${name} said ${percent(prediction)}`).join(', ')}
          </li>
        );
      })}
    </ul>
  );
}
