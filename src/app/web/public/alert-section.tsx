import type { LandingModel } from '#app/render.ts';
import { TYPE_WORDS } from '#features/alerts/web/alerts/labels.ts';
import { SeverityWord } from '#features/alerts/web/alerts/severity-mark.tsx';
import { CHANNEL_WORDS, tookWords } from '#features/notifications/web/notifications/labels.ts';
import type { LandingFacts } from '#features/site/contract/landing.ts';
import { BRAND } from '#shared/brand.ts';
import { ago, grouped } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { Logo } from '#ui/logo.tsx';

import { sourceName, WIDTH } from './page.tsx';
import { APART, clockText, dayText, More, SectionHead, Waiting } from './section.tsx';

export function AlertSection({ model }: { model: LandingModel }) {
  const { alert } = model.facts;
  return (
    <section
      aria-labelledby="alerts"
      className={cx(WIDTH, APART, 'grid items-center gap-x-12 gap-y-12 lg:grid-cols-[1.35fr_1fr]')}
    >
      <SectionHead id="alerts" title="Alerts you can trace." className="lg:order-last">
        <p>
          Pro watches moves, flows, funding, inflation and the calendar, plus your own rules, backtested on 90 days
          before you save them. By email, push, Telegram or webhook.
        </p>
        <Delivery latency={model.latency} />
        <More href="/app/alerts">See the market alerts</More>
      </SectionHead>
      {alert ? (
        <Told alert={alert} model={model} />
      ) : (
        <Waiting>No alert yet. Alerts appear here with a one-hour delay; Pro gets them instantly.</Waiting>
      )}
    </section>
  );
}

/** Measured latency of the channels, in one sentence. */
function Delivery({ latency }: { latency: LandingModel['latency'] }) {
  const measured = (latency?.channels ?? []).flatMap(({ channel, n, p50Ms }) => {
    const name = channel === 'in-app' ? 'in the app' : CHANNEL_WORDS[channel].toLowerCase();
    return n > 0 && p50Ms !== null ? [`${name} hand-off ${tookWords(p50Ms)} (n\u00a0=\u00a0${grouped(n)})`] : [];
  });
  if (measured.length === 0) return null;
  return <p className="num mt-3 text-[15px] text-ink-3">Median {measured.join(', ')}; last 30 days.</p>;
}

type Alert = NonNullable<LandingFacts['alert']>;
const STEPS = [
  ['sourceAt', 'Source'],
  ['receivedAt', 'Received'],
  ['evaluatedAt', 'Evaluated'],
  ['queuedAt', 'Written'],
] as const;

/** The alert as on a lock screen, with the times of its delivery below. */
function Told({ alert, model }: { alert: Alert; model: LandingModel }) {
  const { type, severity, message, timestamp, receipt, meta } = alert;
  return (
    <figure>
      <div className="card flex gap-4 rounded-[16px] p-5 lifted">
        <Logo className="size-7 shrink-0" />
        <div className="min-w-0 flex-1">
          <p className="label flex justify-between gap-3">
            <span>{BRAND.name}</span>
            <span className="num">{ago(Date.parse(model.now) - Date.parse(timestamp))}</span>
          </p>
          <p className="mt-1 text-[15px] font-semibold">{TYPE_WORDS[type]}</p>
          <p className="mt-1 text-[15px] text-ink-2">{message}</p>
        </div>
      </div>
      <ol className="num mt-10 grid grid-cols-4">
        {STEPS.map(([key, name], i) => {
          const before = STEPS[i - 1]?.[0];
          return (
            <li key={key} className="relative border-t border-line-strong pt-4 pr-4">
              <span aria-hidden="true" className="absolute size-2 rounded-full bg-btn" style={{ top: -4 }} />
              <span className="block text-sm font-semibold">{name}</span>
              <span className="label block">{clockText(receipt[key])}</span>
              {before && (
                <span className="block text-sm text-ink-2">
                  +{tookWords(Date.parse(receipt[key]) - Date.parse(receipt[before]))}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <figcaption className="label mt-5 flex flex-wrap gap-x-4">
        <SeverityWord severity={severity} />
        <span>
          {sourceName(model, meta.source)}
          {meta.method === 'demo' && ' (demo)'}, {dayText(timestamp)}
        </span>
        <span>Shown with a one-hour delay. Pro gets it instantly.</span>
      </figcaption>
    </figure>
  );
}
