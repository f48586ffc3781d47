import type { ChannelLatency, Latency } from '#features/notifications/contract/notifications.ts';
import { dateTime, grouped } from '#shared/format.ts';
import { CHANNEL_WORDS, tookWords } from './labels.ts';

const NONE = 'not measured yet';
const shown = (ms: number | null) => (ms === null ? '–' : tookWords(ms));
const day = (iso: string) => dateTime(Date.parse(iso)).split(',')[0];

/** Latency as measured. */
export function LatencyTable({ latency: { from, to, channels } }: { latency: Latency }) {
  return (
    <div>
      <table className="num w-full text-sm">
        <thead>
          <tr className="text-right">
            <th scope="col" className="label py-1 text-left font-medium">
              Channel
            </th>
            {['p50', 'p95', 'p99', 'n'].map((name) => (
              <th key={name} scope="col" className="label py-1 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {channels.map((each) => (
            <Measured key={each.channel} {...each} />
          ))}
        </tbody>
      </table>
      <p className="label mt-2">
        From alert creation to acceptance by the channel, all users, {day(from)} to {day(to)}. In-app: until sent to
        open pages (n counts pages). p95: 95% took no longer. Excludes alerts held for quiet hours or a digest.
      </p>
    </div>
  );
}

function Measured({ channel, n, p50Ms, p95Ms, p99Ms }: ChannelLatency) {
  return (
    <tr className="border-t border-line text-right">
      <th scope="row" className="py-1.5 text-left font-medium">
        {channel === 'in-app' ? 'In-app' : CHANNEL_WORDS[channel]}
      </th>
      {n === 0 ? (
        <td colSpan={3} className="py-1.5 text-ink-3">
          {NONE}
        </td>
      ) : (
        [p50Ms, p95Ms, p99Ms].map((ms, i) => (
          <td key={['p50', 'p95', 'p99'][i]} className="py-1.5">
            {shown(ms)}
          </td>
        ))
      )}
      <td className="py-1.5 pl-3 text-ink-3">{grouped(n)}</td>
    </tr>
  );
}
