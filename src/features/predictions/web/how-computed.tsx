import { Card } from '#web/ui/card.tsx';

const STEPS: readonly (readonly [name: string, text: string])[] = [
  [
    'A call',
    'For each asset and horizon a model gives three probabilities: up, flat and down. They are frozen with the price, the volatility, the band and the baselines of that moment; a call older than five minutes is refused. Where a model named only a direction and a confidence, the rest was split by climatology and the call is marked as imputed.',
  ],
  [
    'An outcome',
    'The log return from issue to horizon: 24 hours, 7, 28 or 180 days. It is flat within 0.43 of the trailing 30-day volatility, scaled to the horizon. A call without a price near its time is void: counted and shown, never guessed.',
  ],
  [
    'The baselines',
    'Climatology: how often each class came over the year before. Persistence: what followed whenever the last window was like this one. Uniform: one third each. Always up. All with what was known when the call was made.',
  ],
  [
    'The scores',
    'Brier over three classes, ranked probability, log score with p no less than 0.001, skill = 1 − Brier ÷ Brier of climatology, and the isotonic calibration curve (CORP). Means over graded calls.',
  ],
  [
    'The evidence',
    'Calls of one day share their market, so the unit of every test is the issue date. Independent windows share no day. Intervals of the hit rate are Wilson’s on those windows, those of the Brier difference a block bootstrap over dates. Whether the direction was known is looked at apart, by Pesaran and Timmermann: constant calls are not testable.',
  ],
  [
    'The word',
    '“Ahead” or “behind” needs 60 independent windows, and both Diebold–Mariano and a block bootstrap below 0.05 after Holm’s correction over every cell shown; “ahead” is ahead of climatology and of uniform. Else it is “no evidence”. At 28 and 180 days the windows overlap too long: “too few independent windows”, and the calls are still shown.',
  ],
  [
    'The consensus',
    'The mean of all models’ probabilities with equal weights, frozen and graded like one of them, counted beside them. Beside it stands what its own record would make of it: Platt’s correction, fitted each week on calls that had been graded before. Weights by the past are computed too, and used only once they are better by more than chance explains.',
  ],
  [
    'A new model',
    'Starts a new track. The former one stays on this page, as it was. Nothing here is a replay of the past by a model that may have read about it.',
  ],
];

export function HowComputed() {
  return (
    <Card id="how" title="How this is computed">
      <dl className="grid gap-x-8 gap-y-4 px-4 pt-1 pb-5 text-sm md:grid-cols-2 xl:grid-cols-4">
        {STEPS.map(([name, text]) => (
          <div key={name}>
            <dt className="font-semibold">{name}</dt>
            <dd className="mt-0.5 text-ink-2">{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
