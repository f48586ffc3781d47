import { useEffect, useState } from 'react';
import { WIDGETS, type WidgetKind } from '#features/api/contract/widgets-names.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { SelectField, TextField } from '#ui/inputs.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { buildEmbed, type Choice, embedText, FIRST, WIDGET_NAMES, WIDTHS, type Width, widgetHeight } from './embed.ts';

const THEMES = ['Auto', 'Light', 'Dark'] as const;
const PRICES = ['Full', 'Short'] as const;
const DENSITIES = ['Regular', 'Compact'] as const;
const IMPACTS = { all: 'All', high: 'High', medium: 'Medium', low: 'Low' } as const;
const SETTLED_MS = 400;

type Change = (part: Partial<Choice>) => void;

/** Debounces the value, so that typing does not load a frame per letter. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

const small = <T extends string>(text: Capitalize<T>): T => text.toLowerCase() as T;
const large = <T extends string>(text: T): Capitalize<T> =>
  (text.charAt(0).toUpperCase() + text.slice(1)) as Capitalize<T>;

function Subject({ choice, problem, change }: { choice: Choice; problem: string | null; change: Change }) {
  const { kind, coins, coin, impact } = choice;
  const note = 'Coin symbols or ids, such as BTC or bitcoin';
  if (kind === 'ticker')
    return (
      <TextField label="Coins" value={coins} problem={problem} note={note} onText={(text) => change({ coins: text })} />
    );
  if (kind === 'price')
    return (
      <TextField label="Coin" value={coin} problem={problem} note={note} onText={(text) => change({ coin: text })} />
    );
  if (kind === 'fear-greed') return null;
  return (
    <SelectField label="Impact" value={impact} onText={(text) => change({ impact: text as Choice['impact'] })}>
      {Object.entries(IMPACTS).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <span className="text-sm font-medium" aria-hidden="true">
        {name}
      </span>
      {children}
    </div>
  );
}

function Look({ choice, change }: { choice: Choice; change: Change }) {
  const { kind, theme, prices, compact, width } = choice;
  return (
    <>
      <Row name="Theme">
        <Segmented
          label="Widget theme"
          value={large(theme)}
          options={THEMES}
          onChange={(value) => change({ theme: small(value) })}
        />
      </Row>
      {(kind === 'ticker' || kind === 'price') && (
        <Row name="Prices">
          <Segmented
            label="Prices"
            value={large(prices)}
            options={PRICES}
            onChange={(value) => change({ prices: small(value) })}
          />
        </Row>
      )}
      <Row name="Density">
        <Segmented
          label="Density"
          value={compact ? 'Compact' : 'Regular'}
          options={DENSITIES}
          onChange={(value) => change({ compact: value === 'Compact' })}
        />
      </Row>
      <Row name="Width">
        <Segmented
          label="Width"
          value={width}
          options={Object.keys(WIDTHS) as Width[]}
          onChange={(value) => change({ width: value })}
        />
      </Row>
    </>
  );
}

function Preview({ path, choice }: { path: string; choice: Choice }) {
  const [shown, setShown] = useState<string | null>(null);
  return (
    <div className="relative min-w-0" aria-busy={shown !== path}>
      {shown !== path && <output className="sr-only">Loading the widget</output>}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- a page of our own without scripts, whose refresh a sandbox would switch off */}
      <iframe
        key={path}
        src={path}
        title={`Preview: ${WIDGET_NAMES[choice.kind]}`}
        onLoad={() => setShown(path)}
        className="max-w-full rounded-card"
        style={{ width: WIDTHS[choice.width] ?? '100%', height: widgetHeight(choice) }}
      />
    </div>
  );
}

/** Widget selection with preview and embed code. */
export function WidgetBuilder() {
  const [choice, setChoice] = useState(FIRST);
  const settled = useSettled(choice);
  const { problem } = buildEmbed(choice);
  const { path } = buildEmbed(settled);
  const change: Change = (part) => setChoice((before) => ({ ...before, ...part }));
  const text = path === null ? null : embedText(globalThis.location.origin, path, settled);
  return (
    <section aria-labelledby="widget-builder" className="rounded-card border border-line bg-surface p-4">
      <h2 id="widget-builder" className="text-lg font-semibold">
        Widgets for Your Website
      </h2>
      <p className="mt-1 mb-4 text-sm text-ink-2">
        Embeddable, script-free and cookie-free. Each widget shows its figures with source and age and refreshes every
        minute. No key needed.
      </p>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="order-last grid min-w-0 content-start gap-4 lg:order-first">
          {path !== null && text !== null ? (
            <>
              <Preview path={path} choice={settled} />
              <CodeBlock
                head={<p className="text-sm font-medium">Paste this into your page</p>}
                label="Embed code"
                text={text}
                what="Embed code"
                wrap
              />
            </>
          ) : (
            <p className="text-sm text-ink-2">The preview returns with the next valid selection.</p>
          )}
        </div>
        <div className="grid min-w-0 content-start gap-4">
          <SelectField label="Widget" value={choice.kind} onText={(kind) => change({ kind: kind as WidgetKind })}>
            {WIDGETS.map((kind) => (
              <option key={kind} value={kind}>
                {WIDGET_NAMES[kind]}
              </option>
            ))}
          </SelectField>
          <Subject choice={choice} problem={problem} change={change} />
          <Look choice={choice} change={change} />
        </div>
      </div>
    </section>
  );
}
