import type { LandingModel } from '#app/render.ts';
import { HORIZON_WORDS, providerName, share, wording } from '#features/analysis/web/predictions/verdict-text.tsx';
import { grouped } from '#shared/format.ts';
import { dayText } from './section.tsx';

/** Fewer are not meaningful. */
const MIN_GRADED = 100;
const STEP = 10;
const BAR = 7;
const HALF = 50;

type Record = LandingModel['facts']['record'];

export const hasStrip = ({ strip, headline, graded }: Record): boolean =>
  strip !== null && headline !== null && graded >= MIN_GRADED;

/** The latest graded calls: hits above the line, misses below, taller with a higher probability of the call. */
export function RecordStrip({ record, isDemo }: { record: Record; isDemo: boolean }) {
  const { strip, headline, graded } = record;
  if (!strip || !headline) return null;
  const calls = strip.calls.toReversed();
  const right = calls.filter(({ hit }) => hit).length;
  const surest = Math.max(...calls.map(({ sure }) => sure));
  const path = (hits: boolean) =>
    calls
      .map(({ hit, sure }, i) => {
        if (hit !== hits) return '';
        const long = ((HALF - 2) * sure) / surest;
        return `M${i * STEP} ${hit ? HALF - 1 : HALF + 1}v${(hit ? -long : long).toFixed(1)}h${BAR}V${hit ? HALF - 1 : HALF + 1}z`;
      })
      .join('');
  const width = calls.length * STEP - (STEP - BAR);
  return (
    <figure className="mt-12 sm:mt-16">
      <svg
        viewBox={`0 0 ${width} ${2 * HALF}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Latest ${calls.length} graded calls, oldest first: ${right} correct, ${calls.length - right} wrong`}
        className="block h-20 w-full sm:h-28"
      >
        <path d={path(true)} fill="var(--ink)" />
        <path d={path(false)} fill="var(--down)" />
      </svg>
      <figcaption className="num mt-4 grid gap-x-12 gap-y-2 text-sm text-ink-3 lg:grid-cols-[1.35fr_1fr]">
        <span>
          <b className="font-semibold text-ink">
            The latest {calls.length} of {grouped(graded)} graded calls
          </b>
          {isDemo && ' on the simulated market (demo)'}, all analysts and horizons, issued from{' '}
          {dayText(strip.issuedFrom)}, settled by {dayText(strip.settledTo)}. Taller means more confident.
          <span className="mt-2 flex gap-4">
            <Key colour="bg-ink">Hit, above the line</Key>
            <Key colour="bg-down">Miss, below</Key>
          </span>
        </span>
        <Worth headline={headline} />
      </figcaption>
    </figure>
  );
}

const Key = ({ colour, children }: { colour: string; children: string }) => (
  <span className="flex items-center gap-1.5">
    <span className={`h-3 w-1 rounded-[1px] ${colour}`} aria-hidden="true" />
    {children}
  </span>
);

function Worth({ headline }: { headline: NonNullable<Record['headline']> }) {
  const { horizon, n, hit_rate: rate, hit_interval: between } = headline;
  return (
    <span>
      <b className="font-semibold text-ink">
        {providerName(headline)}, {HORIZON_WORDS[horizon]}: {wording(headline).word.toLowerCase()}.
      </b>{' '}
      {rate !== null && between && (
        <>
          {share(rate)} of {grouped(n)} calls correct, 95% interval {share(between.low)} to {share(between.high)};
          random guessing gives 33.3%.{' '}
        </>
      )}
      <a href="/app/track-record" className="font-medium text-accent hover:underline">
        Full track record
      </a>
    </span>
  );
}
