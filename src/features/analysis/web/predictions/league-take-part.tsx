import type { ReactNode } from 'react';
import { BRAND } from '#shared/brand.ts';
import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { useOrigin } from '#ui/use-browser.ts';

const BODY = `{
    "forecaster": "your-name",
    "forecasts": [{
      "asset": "BTC",
      "horizon": "24h",
      "probabilities": { "up": 0.4, "flat": 0.35, "down": 0.25 },
      "range_80": { "low": 95000, "high": 101000 },
      "range_95": { "low": 92000, "high": 104000 }
    }]
  }`;

/** How to submit a first forecast. */
export function TakePart() {
  const sample = `curl -X POST "${useOrigin()}/api/v1/forecasts" \\
  -H "Authorization: Bearer YOUR_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${BODY}'`;
  return (
    <Card id="take-part" title="Take Part">
      <ol className="grid min-w-0 gap-4 px-4 pt-1 pb-5 text-sm">
        <Step title="1. Create an API key">
          Select the “Submit forecasts” permission under{' '}
          <Link to="/app/profile?tab=api-keys" className={TEXT_LINK}>
            API keys
          </Link>{' '}
          in your profile. API keys come with Pro and Premium+.
        </Step>
        <Step
          title="2. Send a forecast"
          code={<CodeBlock head={<p className="label">curl</p>} label="Sample forecast" text={sample} what="Sample" />}
        >
          Replace the sample values with your own. Probabilities must sum to 1; the price ranges, in USD, are optional.
          The name in your first submission becomes your public name.
        </Step>
        <Step title="3. Watch it graded">
          Your forecast appears on your own page and is graded when its horizon ends.
        </Step>
      </ol>
    </Card>
  );
}

function Step({ title, code, children }: { title: string; code?: ReactNode; children: ReactNode }) {
  return (
    <li className="grid min-w-0 gap-2">
      <div>
        <p className="font-semibold">{title}</p>
        <p className="mt-0.5 text-ink-2">{children}</p>
      </div>
      {code}
    </li>
  );
}

const RULES: readonly (readonly [name: string, text: string])[] = [
  [
    'Up, flat, down',
    'Flat is a log return within ±0.43 times the 30-day volatility, scaled to the horizon. The band is frozen with the forecast.',
  ],
  ['Frozen on arrival', 'Each forecast enters the public ledger when it arrives, with the price at that moment.'],
  ['One per day', 'One forecast per asset, horizon and UTC day. No edits, no deletions.'],
  ['All or nothing', 'If one forecast in a submission is invalid, none are accepted.'],
  [
    'Verdicts',
    '“Ahead” and “behind” need 60 independent days and significant tests after Holm’s correction over every tested cell of the league.',
  ],
  ['Separate records', `League forecasts never enter ${BRAND.name}’s own record or consensus.`],
  ['Deleted accounts', 'Deleting your account removes your name. Your forecasts remain in the ledger without it.'],
];

export function Rules() {
  return (
    <Card id="rules" title="The Rules">
      <dl className="grid gap-x-8 gap-y-4 px-4 pt-1 pb-5 text-sm">
        {RULES.map(([name, text]) => (
          <div key={name}>
            <dt className="font-semibold">{name}</dt>
            <dd className="mt-0.5 text-ink-2">{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
