import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { closeCard, showCard } from '#app/web/testing/show-card.tsx';
import { Clock, ClockContext } from '#ui/now.ts';
import { NOON } from '#ui/testing/figures.ts';
import { AnalysisCard, type AnalysisCardProps } from './analysis-card.tsx';
import { analysisOf, cells } from './fixtures.ts';

const analysis = analysisOf(NOON);

function show(change: Partial<AnalysisCardProps> = {}, nowMs = NOON) {
  const onRetry = vi.fn();
  const place = { id: 'ai', title: 'AI Market Analysis', className: '' };
  const props = {
    ...place,
    analysis,
    cells,
    why: 'Data collection is in progress...',
    past: false,
    failed: null,
    onRetry,
    ...change,
  };
  showCard(
    <ClockContext value={new Clock(nowMs, true)}>
      <AnalysisCard {...props} />
    </ClockContext>,
  );
  const card = screen.getByRole('region', { name: 'AI Market Analysis' });
  return { card, onRetry };
}

const opinionOf = (name: string) => {
  const item = screen.getByRole('heading', { level: 3, name }).closest('li');
  if (!item) throw new Error(`${name} has no card`);
  return item;
};
const rowsOf = (card: HTMLElement) =>
  within(card)
    .getAllByRole('row')
    .map((row) => row.textContent);
const open = (name: RegExp) => userEvent.click(screen.getByRole('button', { name }));

describe('AI Market Analysis, states', () => {
  test('loading: a skeleton in the frame', () => {
    expect(within(show({ analysis: undefined }).card).getByText('Loading AI Market Analysis')).toBeDefined();
  });

  test('error: the message with the server’s text, and Retry', async () => {
    const failed = { message: 'Error: Failed to fetch dashboard data', detail: 'Something went wrong on our side' };
    const { card, onRetry } = show({ analysis: undefined, failed });
    expect(within(card).getByRole('alert').textContent).toContain(failed.message + failed.detail);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(onRetry).toHaveBeenCalledOnce();
  });

  test('empty', () => {
    const { card } = show({ analysis: null });
    expect(within(card).getByText('No analysis data available')).toBeDefined();
    expect(within(card).getByText('Data collection is in progress...')).toBeDefined();
    const coming = within(card)
      .getAllByRole('term')
      .map(({ textContent }) => textContent);
    expect(coming).toEqual(['The consensus', 'The outlook', 'Individual models']);
  });

  test('empty at an earlier moment: nothing is announced as upcoming', () => {
    const { card } = show({ analysis: null, past: true });
    expect(within(card).queryAllByRole('term')).toEqual([]);
  });

  test('an existing analysis remains when a later read fails', () => {
    show({ failed: { message: 'Error', detail: '' } });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('heading', { level: 3, name: 'Venice' })).toBeDefined();
  });

  test('its age, and that it is stale beyond its contract', () => {
    expect(show().card.textContent).toContain('Updated 12m ago · 2 models and built-in statistics');
    closeCard();
    expect(show({}, NOON + 7_200_000).card.textContent).toContain('Stale, 2h ago');
  });

  test('when no model has answered since, the card shows when they were queried', () => {
    const unanswered_at = new Date(NOON).toISOString();
    expect(show().card.textContent).not.toContain('No model responded');
    closeCard();
    expect(show({ analysis: { ...analysis, unanswered_at } }).card.textContent).toMatch(
      /No model responded at .+ UTC\. Showing the last analysis/,
    );
  });

  test('demo: the card states that the models read a demo market', () => {
    const { card } = show({ analysis: { ...analysis, meta: { ...analysis.meta, method: 'demo' } } });
    expect(card.textContent).toContain('2 models and built-in statistics (demo)');
  });
});

describe('the consensus', () => {
  test('shows direction and confidence, and cuts its reasoning at 400 characters', async () => {
    const { card } = show();
    expect(card.textContent).toContain('Bullish58% confidence');
    expect(card.textContent).toContain(`${'c'.repeat(399)}E…`);
    const more = screen.getByRole('button', { name: 'more of the consensus' });
    await userEvent.click(more);
    expect(card.textContent).toContain('END and the rest of the case');
    await userEvent.click(screen.getByRole('button', { name: 'less of the consensus', expanded: true }));
    expect(card.textContent).not.toContain('the rest of the case');
  });

  test.each([
    [80, 'text-up'],
    [79.9, 'text-warn'],
    [60, 'text-warn'],
    [59.9, 'text-down'],
  ])('confidence of %d in its colour', (overall_confidence, tone) => {
    const { card } = show({ analysis: { ...analysis, overall_confidence } });
    const shown = within(card).getAllByText(`${Math.round(overall_confidence)}%`)[0];
    expect(shown?.className).toContain(tone);
  });

  test('has its own record', () => {
    const table = screen.queryByRole('table') ?? show().card;
    const own = within(table).getByRole('table', { name: /^The record of the consensus/ });
    expect(rowsOf(own)).toEqual([
      'Graded afterRecordHit rateSkill',
      '24hNo evidence47% of 2400.00',
      '7dNone graded yet',
    ]);
  });
});

describe('each analyst’s opinion', () => {
  test('name, model, direction, confidence, and the record next to them: verdict, hit rate with n, skill; missing analysts are named, with the key or the reason; the built-in analyst is last', () => {
    const { card } = show();
    const list = within(card).getByRole('list', { name: 'Analysts' });
    const names = within(list).getAllByRole('heading', { level: 3 });
    expect(names.map(({ textContent }) => textContent).join(' | ')).toBe(
      'Venice | Groq | Hugging Face | Own model | Built-in analyst (statistics, no AI)',
    );
    const text = opinionOf('Venice').textContent;
    for (const words of ['zai-org-glm-5-2', 'Bullish', 'Confidence 83%', 'Venice sees the spot demand lead.'])
      expect(text).toContain(words);
    expect(opinionOf('Groq').textContent).toContain('Imputed');
    expect(rowsOf(opinionOf('Venice')).slice(1)).toEqual(['24hAhead61% of 1,240+0.08', '7dNo evidence38% of 240−0.02']);
    expect(rowsOf(opinionOf('Groq')).slice(1)).toEqual(['24hBehind29% of 240−0.34', '7dNone graded yet, 5 pending']);
    expect(opinionOf('Hugging Face').textContent).toContain('Not queried');
    expect(opinionOf('Hugging Face').textContent).toContain('Missing key: HUGGINGFACE_API_KEY');
    expect(opinionOf('Own model').textContent).toBe('Own modelNo responseOwn model did not answer in time.');
  });

  test.each([
    ['Groq is ahead', { venice: 'no evidence', groq: 'ahead' }],
    ['Venice is behind', { venice: 'behind', groq: 'no evidence' }],
  ] as const)('%s at 24h: Groq is first', (_, verdicts) => {
    const judged = cells.map((cell) => ({ ...cell, verdict: verdicts[cell.provider as 'groq'] ?? cell.verdict }));
    const { card } = show({ cells: judged });
    const list = within(card).getByRole('list', { name: 'Analysts' });
    expect(within(list).getAllByRole('heading')[0]?.textContent).toBe('Groq');
  });

  test('reasoning is cut at 300 characters, with the rest on demand', async () => {
    show();
    const item = opinionOf('Groq');
    expect(item.textContent).toContain(`${'r'.repeat(299)}E…`);
    await userEvent.click(within(item).getByRole('button', { name: 'more of the reasoning of Groq' }));
    expect(item.textContent).toContain('END and what follows it');
    await userEvent.click(within(item).getByRole('button', { name: 'less of the reasoning of Groq' }));
    expect(item.textContent).not.toContain('what follows it');
  });

  test('shows no record where that of the moment is unknown', () => {
    show({ cells: undefined });
    expect(screen.queryByRole('table')).toBeNull();
  });
});

describe('the outlook', () => {
  test('has four horizons, each with the consensus and all analysts on one scale', () => {
    show();
    const rows = screen.getAllByRole('button', { name: /(Check-point|term)/, expanded: false });
    expect(rows.map(({ textContent }) => textContent).join(', ')).toBe(
      'Check-point24 hours, Short term1–7 days, Medium term1–4 weeks, Long term1–6 months',
    );
    const scales = screen.getAllByRole('img').map((scale) => scale.getAttribute('aria-label'));
    expect(scales[2]).toBe(
      'Consensus neutral. Venice bullish, Groq bearish, Built-in analyst (statistics, no AI) neutral.',
    );
    expect(screen.getAllByRole('img')[2]?.textContent).toBe('VGB');
  });

  test('a horizon expands to all opinions, three influences each, six key factors, two risks, and collapses, also when another one is expanded', async () => {
    const { card } = show();
    await open(/^Short term/);
    const views = within(screen.getByRole('list', { name: 'Short term, by analyst' }));
    expect(views.getAllByRole('heading', { level: 4 }).map(({ textContent }) => textContent)).toEqual([
      'Venice',
      'Groq',
      'Built-in analyst (statistics, no AI)',
    ]);
    expect(views.getByText('Venice over 7d.')).toBeDefined();
    expect(views.getAllByText(/^Venice key factor \d$/)).toHaveLength(3);
    expect(views.getAllByText('Up 83%')).toHaveLength(1);
    expect(within(card).getAllByText(/^Pool key factor \d$/)).toHaveLength(6);
    expect(within(card).getAllByText(/^Pool risk \d$/)).toHaveLength(2);
    expect(card.textContent).toContain('Analysts differ (dispersion 0.31 of 2). Graded after 7 days');
    await open(/^Short term/);
    expect(screen.queryByText('Venice over 7d.')).toBeNull();
    await open(/^Short term/);
    await open(/^Long term/);
    expect(screen.queryByText('Venice over 7d.')).toBeNull();
    expect(screen.getByText('Venice over 180d.')).toBeDefined();
    expect(screen.getByRole('button', { name: /^Short term/ }).getAttribute('aria-expanded')).toBe('false');
  });

  test('the published consensus is shown next to the record-weighted one, where there is one', async () => {
    const { card } = show();
    await open(/^Short term/);
    expect(within(card).queryByText('Recalibrated by track record')).toBeNull();
    await open(/^Check-point/);
    const [said, corrected] = ['As forecast', 'Recalibrated by track record'].map(
      (name) => within(card).getByText(name).nextElementSibling?.textContent,
    );
    const { up, flat, down } = analysis.check_point.probabilities;
    const roots = [down, flat, up].map((p) => 1 / (1 + Math.sqrt((1 - p) / p)));
    const sum = roots.reduce((total, each) => total + each, 0);
    const [low, , high] = roots.map((each) => Math.round((100 * each) / sum));
    expect(said).toContain(`Down ${Math.round(100 * down)}%`);
    expect(corrected).toContain(`Down ${low}%`);
    expect(corrected).toContain(`Up ${high}%`);
  });

  test('price ranges appear in an expanded horizon, with their past coverage', async () => {
    const graded = { n: 600, coverage_80: 0.797, coverage_95: 0.95, width_80: 0.07, width_95: 0.1 };
    const none = { score_80: null, score_80_trailing: null, score_95: null, score_95_trailing: null };
    const [first] = cells as [(typeof cells)[number]];
    show({ cells: [...cells, { ...first, provider: 'local', horizon: '24h', ranges: { ...graded, ...none } }] });
    await open(/^Check-point/);
    const table = screen.getByRole('table', { name: /^Price 24 hours after the call/ });
    expect(table.textContent).toContain('80% ranges held 79.7% of 600 times.');
    expect(within(table).getByRole('row', { name: /BTC/ }).textContent).toBe(
      'BTC$94,123.40 – $99,876.50$91,000.00 – $103,400.00',
    );
    await open(/^Long term/);
    expect(screen.getByRole('table', { name: /Not yet proven at 180 days/ }).textContent).toContain(
      'No range graded yet.',
    );
  });

  test('reports a missing opinion', async () => {
    show({ analysis: { ...analysis, providers: {} } });
    await open(/^Medium term/);
    expect(screen.getByText('Individual AI predictions not available for this timeframe')).toBeDefined();
  });
});
