import { grouped } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import type { RecordCell } from './labels.ts';

const SHOWN = [
  ['24h', '24h'],
  ['7d', '7d'],
] as const;

const VERDICT: Record<RecordCell['verdict'], readonly [words: string, tone: string]> = {
  ahead: ['Ahead', 'text-up'],
  behind: ['Behind', 'text-down'],
  'no evidence': ['No evidence', 'text-ink-2'],
  'too few independent windows': ['Too few windows', 'text-ink-2'],
};

function signed(value: number): string {
  const text = Math.abs(value).toFixed(2);
  if (Number(text) === 0) return text;
  return (value < 0 ? '\u2212' : '+') + text;
}

/** Uncertainty of the hit rate: overlapping calls are not independent. */
function uncertainty({ hit_interval: range, n_eff }: RecordCell): string {
  const dates = `${n_eff} independent ${n_eff === 1 ? 'date' : 'dates'}`;
  if (!range) return dates;
  return `${Math.round(range.low * 100)} to ${Math.round(range.high * 100)}% with 95% confidence, from ${dates}`;
}

function Row({ name, cell }: { name: string; cell: RecordCell | undefined }) {
  const [words, tone] = cell ? VERDICT[cell.verdict] : ['', ''];
  const graded = cell && cell.n > 0 && cell.hit_rate !== null;
  return (
    <tr>
      <th scope="row" className="text-left font-medium text-ink-3">
        {name}
      </th>
      {graded ? (
        <>
          <td className={cx('font-semibold', tone)}>{words}</td>
          <td className="text-right" title={uncertainty(cell)}>
            <b className="font-semibold text-ink">{Math.round((cell.hit_rate ?? 0) * 100)}%</b> of {grouped(cell.n)}
          </td>
          <td className="text-right">{cell.skill === null ? '\u2013' : signed(cell.skill)}</td>
        </>
      ) : (
        <td colSpan={3}>{cell?.pending ? `None graded yet, ${cell.pending} pending` : 'None graded yet'}</td>
      )}
    </tr>
  );
}

type Props = { of: string; provider: string; cells: readonly RecordCell[]; className?: string };

/** Record of an analyst: verdict, hit rate with n, and skill against the best baseline. */
export function RecordTable({ of, provider, cells, className }: Props) {
  const own = cells.filter((cell) => cell.provider === provider);
  return (
    <table className={cx('num w-full text-2xs whitespace-nowrap text-ink-2', className)}>
      <caption className="sr-only">
        The record of {of}: skill above 0 is better than the best baseline, 1 is perfect
      </caption>
      <thead className="text-ink-3">
        <tr>
          <th scope="col" className="w-9 text-left font-medium">
            <span className="sr-only">Graded after</span>
          </th>
          <th scope="col" className="text-left font-medium">
            Record
          </th>
          <th scope="col" className="text-right font-medium">
            Hit rate
          </th>
          <th
            scope="col"
            className="w-11 text-right font-medium"
            title="Vs. the best baseline: 1 is perfect, 0 is no better"
          >
            Skill
          </th>
        </tr>
      </thead>
      <tbody>
        {SHOWN.map(([horizon, name]) => (
          <Row key={horizon} name={name} cell={own.find((cell) => cell.horizon === horizon)} />
        ))}
      </tbody>
    </table>
  );
}
