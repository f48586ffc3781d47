import type { AdvancedMetrics } from '#features/market/contract/metrics.ts';
import { compact, percent } from '#shared/format.ts';
import { FEAR_GREED_STOPS, SEASON_STOPS, SSR_STOPS, ssrReading } from '#shared/readings.ts';
import { Change } from '#ui/change.tsx';
import { Figure } from '#ui/figure.tsx';
import { Balance, Scale } from '#ui/micro.tsx';
import { Spark } from '#ui/spark.tsx';
import { NoteFigure, Tile } from './tile.tsx';

const SPARK = 'h-[26px] w-full';

function Past({ data, metric }: { data: AdvancedMetrics; metric: string }) {
  const points = data.history[metric];
  return points && <Spark points={points} width={160} height={26} className={SPARK} />;
}

type ChangesProps = {
  name: string;
  day: number | null;
  meta: AdvancedMetrics['totalMarketCap']['meta'];
  points: readonly number[] | undefined;
  change: (first: number, last: number) => number;
};

/** The day's change, and the one over the period of the line above it. */
function Changes({ name, day, meta, points, change }: ChangesProps) {
  const first = points?.[0];
  const last = points?.at(-1);
  return (
    <span className="flex flex-wrap justify-between gap-2">
      <NoteFigure label="24h" name={`${name}, 24h change`} meta={meta['change_24h']}>
        {day !== null && <Change value={day} />}
      </NoteFigure>
      {points && first !== undefined && last !== undefined && points.length > 1 && (
        <NoteFigure
          label={`${points.length}d`}
          name={`${name}, change over ${points.length} days`}
          meta={meta['value']}
        >
          <Change value={change(first, last)} />
        </NoteFigure>
      )}
    </span>
  );
}

type Props = { data: AdvancedMetrics };

export function CoreTiles({ data }: Props) {
  const { bitcoinDominance: dominance, totalMarketCap: cap, marketSentiment: mood, altcoinSeason: alt } = data;
  return (
    <>
      <Tile
        name="Bitcoin dominance"
        meta={dominance.meta['value']}
        text={dominance.value !== null && `${dominance.value.toFixed(1)}%`}
        note={
          <Changes
            name="Bitcoin dominance"
            day={dominance.change_24h}
            meta={dominance.meta}
            points={data.history['dominance.btc']}
            change={(first, last) => last - first}
          />
        }
      >
        <Past data={data} metric="dominance.btc" />
      </Tile>
      <Tile
        name="Total market cap"
        meta={cap.meta['value']}
        text={cap.value !== null && `$${compact(cap.value)}`}
        note={
          <Changes
            name="Total market cap"
            day={cap.change_24h}
            meta={cap.meta}
            points={data.history['market.cap']}
            change={(first, last) => 100 * (last / first - 1)}
          />
        }
      >
        <Past data={data} metric="market.cap" />
      </Tile>
      <Tile
        name="Fear & greed"
        meta={mood.meta['score']}
        text={mood.score !== null && mood.score.toFixed(0)}
        aside={mood.interpretation}
        note="75+ = extreme greed"
      >
        {mood.score !== null && (
          <Scale
            value={mood.score}
            high={100}
            stops={FEAR_GREED_STOPS}
            label={`Fear and greed ${mood.score.toFixed(0)} of 100, ${mood.interpretation ?? ''}`}
          />
        )}
      </Tile>
      <Ratio data={data} />
      <Tile
        name="Altcoin season"
        meta={alt.meta['indicator']}
        text={alt.indicator !== null && alt.indicator.toFixed(0)}
        aside={alt.season}
        note="75+ = altcoin season"
      >
        {alt.indicator !== null && (
          <Scale
            value={alt.indicator}
            high={100}
            stops={SEASON_STOPS}
            label={`Altcoin season ${alt.indicator.toFixed(0)} of 100, ${alt.season ?? ''}`}
          />
        )}
      </Tile>
      <Flows flows={data.exchangeFlows} />
    </>
  );
}

function Ratio({ data: { stablecoinMetrics } }: Props) {
  const { ssr, totalMarketCap: supply, change_24h: change, meta } = stablecoinMetrics;
  return (
    <Tile
      name="Stablecoin supply ratio"
      meta={meta['ssr']}
      text={ssr !== null && ssr.toFixed(2)}
      aside={ssr !== null && ssrReading(ssr)}
      note={
        <span className="flex flex-wrap justify-between gap-2">
          <NoteFigure label="Supply" name="Stablecoin supply" meta={meta['totalMarketCap']}>
            {supply !== null && `$${compact(supply, 1)}`}
          </NoteFigure>
          <NoteFigure label="24h" name="Stablecoin supply, 24h change" meta={meta['change_24h']}>
            {change !== null && percent(change)}
          </NoteFigure>
        </span>
      }
    >
      {ssr !== null && (
        <Scale value={ssr} high={10} stops={SSR_STOPS} label={`SSR ${ssr.toFixed(2)} of 10, ${ssrReading(ssr)}`} />
      )}
    </Tile>
  );
}

type Flow = AdvancedMetrics['exchangeFlows']['btc'];

/** Net flow as a share of all flows. */
const lean = ({ netFlow, inflow, outflow }: Flow): number =>
  netFlow === null ? 0 : netFlow / Math.max(1, Math.max(inflow ?? 0, outflow ?? 0, Math.abs(netFlow)));

const SIGNS = ['\u2212', '', '+'];
/** With a true minus, as in percentages. */
const signed = (value: number) => `${SIGNS[Math.sign(value) + 1]}${compact(Math.abs(value), 1)}`;

function Flows({ flows }: { flows: AdvancedMetrics['exchangeFlows'] }) {
  const rows = [
    ['BTC', flows.btc],
    ['ETH', flows.eth],
  ] as const;
  const most = Math.max(...rows.map(([, flow]) => Math.abs(lean(flow))));
  const net = flows.btc.netFlow;
  return (
    <Tile name="Exchange netflow, 24h" meta={flows.btc.meta['netFlow']} text={net !== null && `${signed(net)} BTC`}>
      <div className="grid gap-1">
        {rows.map(([coin, flow]) => (
          <div key={coin} className="grid grid-cols-[1.75rem_1fr_4.25rem] items-center gap-1.5 text-2xs">
            <span className="font-medium text-ink-2">{coin}</span>
            <Balance value={lean(flow)} most={most} />
            <Figure
              meta={flow.meta['netFlow']}
              name={`Exchange netflow, ${coin}`}
              terms={flowTerms(flow, coin)}
              className="num text-right text-ink-3"
            >
              {flow.netFlow !== null && (coin === 'BTC' ? word(flow.netFlow) : `${signed(flow.netFlow)} ETH`)}
            </Figure>
          </div>
        ))}
      </div>
    </Tile>
  );
}

const word = (net: number): string => (net < 0 ? 'outflow' : 'inflow');

function flowTerms({ inflow, outflow }: Flow, coin: string): [string, string][] {
  const line = (name: string, value: number | null): [string, string][] =>
    value === null ? [] : [[name, `${compact(value, 1)} ${coin}`]];
  return [...line('Inflow', inflow), ...line('Outflow', outflow)];
}
