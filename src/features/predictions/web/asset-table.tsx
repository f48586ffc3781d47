import { CoinMark } from '#web/ui/coin-mark.tsx';

import type { TrackCell } from '../contract.ts';
import { count, score, share, skillText } from './words.ts';

const HEAD = 'label pb-1 text-right font-medium';

/** Looked into, not judged: no word and no star stands here. */
export function AssetTable({ cell }: { cell: TrackCell }) {
  return (
    <section aria-labelledby="assets">
      <h3 id="assets" className="text-sm font-semibold">
        By asset
      </h3>
      <p className="label pb-1.5">Looked into, not tested: no word is said about one asset</p>
      <table className="num w-full text-sm">
        <thead>
          <tr>
            {['Asset', 'Skill', 'Brier', 'Hits', 'n'].map((head, i) => (
              <th key={head} scope="col" className={i === 0 ? 'label pb-1 text-left font-medium' : HEAD}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_td]:text-right [&_th]:border-t [&_th]:border-line">
          {cell.assets.map((asset) => (
            <tr key={asset.symbol}>
              <th scope="row" className="font-semibold">
                <span className="flex items-center gap-2">
                  <CoinMark symbol={asset.symbol} size={18} />
                  {asset.symbol}
                </span>
              </th>
              <td>{asset.skill === null ? '–' : skillText(asset.skill)}</td>
              <td>{score(asset.brier)}</td>
              <td>{share(asset.hit_rate)}</td>
              <td className="text-ink-2">{count(asset.n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
