import { bestBaseline } from '#features/analysis/contract/brief.ts';
import { type Backtest, HORIZONS, type TrackCell } from '#features/analysis/contract/predictions.ts';
import { grouped } from '#shared/format.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { Fresh } from '#ui/fresh.tsx';
import { cellKey, HORIZON_WORDS, providerName, score, skillText, trackKey, VERDICTS } from './verdict-text.tsx';

const STALE_MS = 48 * 3_600_000;

type Props = { data: Backtest; chosen: string | null; onChoose: (key: string) => void };

/**
 * One row per track, one column per horizon; models that a provider no longer uses are listed below as tracks of their
 * own.
 */
export function SkillGrid({ data, chosen, onChoose }: Props) {
  const tracks = [...Map.groupBy(data.cells, trackKey).values()];
  const isCurrent = ([cell]: TrackCell[]) => cell?.current ?? false;
  const groups = [
    ['Models in use', tracks.filter(isCurrent)],
    ['Former models', tracks.filter((track) => !isCurrent(track))],
  ] as const;
  const at = Date.parse(data.timestamp);
  return (
    <Card
      id="skill"
      title="Skill Against the Best Baseline"
      className=""
      note={<Fresh observedAt={at} staleAfter={at + STALE_MS} />}
    >
      <p className="max-w-[72ch] px-4 pb-3 text-sm text-ink-2">
        How much better each track’s probabilities were than the best of three baselines: base rates, persistence and
        uniform. Verdicts need enough evidence. Select a cell for details.
      </p>
      <div className="grid gap-4 px-4 pb-4">
        {groups.map(
          ([name, rows]) =>
            rows.length > 0 && (
              <section key={name} aria-label={name}>
                <h3 className="label pb-1.5">{name}</h3>
                <ul className="grid gap-px overflow-hidden rounded-[10px] border border-line bg-line">
                  {rows.map((cells) => (
                    <Track key={cells[0] && trackKey(cells[0])} cells={cells} chosen={chosen} onChoose={onChoose} />
                  ))}
                </ul>
              </section>
            ),
        )}
      </div>
    </Card>
  );
}

type TrackProps = { cells: readonly TrackCell[] } & Pick<Props, 'chosen' | 'onChoose'>;

function Track({ cells, chosen, onChoose }: TrackProps) {
  const [first] = cells;
  if (!first) return null;
  return (
    <li className="grid grid-cols-2 gap-px lg:grid-cols-[minmax(0,1fr)_repeat(4,minmax(0,1fr))]">
      <div className="min-w-0 bg-surface px-3.5 py-2.5 max-lg:col-span-2">
        <p className="font-semibold">{providerName(first)}</p>
        <p className="truncate text-xs text-ink-3" title={first.model}>
          {first.model}
        </p>
      </div>
      {HORIZONS.map((horizon) => {
        const cell = cells.find((each) => each.horizon === horizon);
        return cell ? (
          <Cell key={horizon} cell={cell} chosen={chosen === cellKey(cell)} onChoose={onChoose} />
        ) : (
          <div key={horizon} className="bg-surface px-3.5 py-2.5 text-sm text-ink-3">
            {HORIZON_WORDS[horizon]}: no call
          </div>
        );
      })}
    </li>
  );
}

function Cell({ cell, chosen, onChoose }: { cell: TrackCell; chosen: boolean } & Pick<Props, 'onChoose'>) {
  const { word, tone } = VERDICTS[cell.verdict];
  const { skill, brier } = cell;
  const best = bestBaseline(cell);
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={() => onChoose(cellKey(cell))}
      className={cx(
        'num min-w-0 px-3.5 py-2.5 text-left focus-visible:-outline-offset-2',
        chosen ? 'bg-raised' : 'bg-surface hover:bg-raised/50',
      )}
    >
      <span className="flex items-center justify-between gap-2">
        <span className="label">{HORIZON_WORDS[cell.horizon]}</span>
        <span className={cx('size-1.5 shrink-0 rounded-full', chosen ? 'bg-accent' : 'bg-line')} aria-hidden="true" />
      </span>
      <span className="block text-lg font-semibold">{skill === null ? '–' : skillText(skill)}</span>
      <span className="block min-h-8 text-2xs text-ink-3">
        {brier === null || !best ? (
          `${grouped(cell.pending)} calls pending`
        ) : (
          <>
            Brier {score(brier)}
            <br />
            vs {score(best.brier)} ({best.name})
          </>
        )}
      </span>
      <span className="mt-1 block">
        <Badge tone={tone}>{cell.verdict === 'too few independent windows' ? 'Too few windows' : word}</Badge>
      </span>
    </button>
  );
}
