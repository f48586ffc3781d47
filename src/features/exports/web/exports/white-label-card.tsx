import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { saveWhiteLabel, type WhiteLabel } from '#features/exports/contract/exports.ts';
import { BRAND } from '#shared/brand.ts';
import { call } from '#ui/api/client.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { FormError, PRIMARY, SECONDARY } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { Logo } from '#ui/logo.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { whiteLabelQuery } from './queries.ts';

type Props = {
  logo: string | null;
  problem: string | null;
  onChoose: (file: File | undefined) => void;
  onRemove: () => void;
};

function LogoField({ logo, problem, onChoose, onRemove }: Props) {
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div>
      <p className="mb-1 text-sm font-medium">Logo</p>
      <div className="relative flex flex-wrap gap-2">
        <Button className="max-sm:h-10" onClick={() => picker.current?.click()}>
          {logo ? 'Choose another logo…' : 'Choose a logo…'}
        </Button>
        {logo && (
          <Button className="max-sm:h-10" onClick={onRemove}>
            Remove Logo
          </Button>
        )}
        <input
          ref={picker}
          type="file"
          aria-label="Logo"
          aria-describedby={id}
          accept="image/png,image/jpeg"
          tabIndex={-1}
          onChange={(event) => {
            onChoose(event.target.files?.[0]);
            // Allows choosing the same file again after fixing it.
            event.target.value = '';
          }}
          className="sr-only"
        />
      </div>
      <p
        id={id}
        role={problem ? 'alert' : undefined}
        className={problem ? 'mt-1 text-sm font-medium text-down' : 'label mt-1'}
      >
        {problem ?? 'PNG or JPEG, up to 150 kB'}
      </p>
    </div>
  );
}

const SYMBOLS = ['BTC', 'ETH'] as const;

/** Preview of the report header, with bars in place of figures: none is made up. Paper is white in every theme. */
function BrandingPreview({ look: { name, logo, colour } }: { look: WhiteLabel }) {
  const ink = colour ?? BRAND.accent;
  return (
    <figure className="m-0">
      <figcaption className="label mb-1">Report preview</figcaption>
      <div
        className="overflow-hidden rounded-ctl border border-line-strong p-4 text-sm"
        style={{ background: '#fff', color: '#16202c' }}
      >
        <div className="flex items-center gap-2.5 border-b-2 pb-2 font-semibold" style={{ borderColor: ink }}>
          {logo ? (
            <img src={logo} alt="Your logo" className="h-8 w-auto max-w-72" style={{ objectFit: 'contain' }} />
          ) : (
            !name && <Logo className="size-6" />
          )}
          <span className="min-w-0 break-words">{name ?? BRAND.name}</span>
        </div>
        <p className="mt-2 font-semibold">Crypto prices</p>
        <ul className="mt-1">
          {SYMBOLS.map((symbol) => (
            <li key={symbol} className="flex items-center justify-between gap-3">
              {symbol}
              <span className="h-2 w-16 rounded-chip" style={{ background: '#d5dbe3' }} />
            </li>
          ))}
        </ul>
      </div>
    </figure>
  );
}

const HEX = /^#[0-9a-f]{6}$/i;
const LOGO = /^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+=*$/;
const MAX_LOGO_LENGTH = 200_000;

/** Validation errors in the server's wording. */
function findProblems({ name, colour }: WhiteLabel): { name?: string; colour?: string } {
  return {
    ...(name !== null && name.trim() === '' ? { name: 'Enter a name or leave it empty' } : {}),
    ...(colour !== null && !HEX.test(colour) ? { colour: 'Enter a color such as #1a2b3c' } : {}),
  };
}

/** Validates a data URL. */
function logoProblem(logo: string): string | null {
  if (!LOGO.test(logo)) return 'The logo must be a PNG or JPEG';
  return logo.length > MAX_LOGO_LENGTH ? 'The logo must be 150 kB or smaller' : null;
}

const CARD = { id: 'white-label', title: 'White Label', className: 'min-h-56' };
const OURS: WhiteLabel = { name: null, logo: null, colour: null };
export function WhiteLabelCard() {
  const query = useQuery(whiteLabelQuery(useToken()));
  return (
    <QueryView query={query} card={CARD} failed="Failed to load your report branding">
      {(stored) => <BrandingForm key={JSON.stringify(stored)} stored={stored} />}
    </QueryView>
  );
}

const readLogo = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });

function BrandingForm({ stored }: { stored: WhiteLabel }) {
  const queries = useQueryClient();
  const token = useToken();
  const [look, setLook] = useState(stored);
  const [refused, setRefused] = useState<string | null>(null);
  const { busy, failure, submit } = useSubmit(
    'Failed to save your report branding',
    async (signal, next: WhiteLabel) => {
      const body = { ...next, name: next.name?.trim() ?? null };
      const saved = await call(saveWhiteLabel, { body }, signal);
      toast('success', next === OURS ? 'Reports use the default branding again' : 'Report branding saved');
      queries.setQueryData(whiteLabelQuery(token).queryKey, saved);
    },
  );
  const change = (part: Partial<WhiteLabel>) => setLook((old) => ({ ...old, ...part }));
  const problems = findProblems(look);
  const isBad = Object.keys(problems).length > 0;
  const isSame = JSON.stringify(look) === JSON.stringify(stored);
  const isOurs = JSON.stringify(stored) === JSON.stringify(OURS);

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      const logo = await readLogo(file);
      const problem = logoProblem(logo);
      setRefused(problem);
      if (!problem) change({ logo });
    } catch (error) {
      setRefused((error as Error).message);
    }
  }

  return (
    <Card {...CARD}>
      <form
        noValidate
        className="grid gap-4 px-4 pb-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBad && !isSame) void submit(look);
        }}
      >
        <p className="text-sm text-ink-2">Your name, logo and color on PDF and Excel reports instead of ours.</p>
        <TextField
          label="Name"
          placeholder={BRAND.name}
          maxLength={60}
          value={look.name ?? ''}
          problem={problems.name}
          onText={(name) => change({ name: name === '' ? null : name })}
        />
        <LogoField
          logo={look.logo}
          problem={refused}
          onChoose={(file) => void choose(file)}
          onRemove={() => change({ logo: null })}
        />
        <div className="flex gap-3">
          <input
            type="color"
            aria-label="Choose a color"
            value={look.colour && HEX.test(look.colour) ? look.colour : BRAND.accent}
            onChange={(event) => change({ colour: event.target.value })}
            className="mt-6 h-11 w-14 shrink-0 cursor-pointer rounded-ctl border border-ink-3/75 bg-bg sm:h-10"
          />
          <div className="min-w-0 flex-1">
            <TextField
              label="Color"
              placeholder={BRAND.accent}
              maxLength={7}
              spellCheck={false}
              value={look.colour ?? ''}
              problem={problems.colour}
              onText={(colour) => change({ colour: colour === '' ? null : colour })}
            />
          </div>
        </div>
        <BrandingPreview look={problems.colour ? { ...look, colour: null } : look} />
        <FormError failure={failure} />
        <div className="grid gap-2 sm:grid-cols-2">
          <button
            type="button"
            disabled={isOurs && isSame}
            aria-disabled={busy}
            onClick={() => {
              setRefused(null);
              setLook(OURS);
              if (!isOurs) void submit(OURS);
            }}
            className={`${SECONDARY} disabled:cursor-default disabled:opacity-60`}
          >
            Reset
          </button>
          <button type="submit" disabled={isSame || isBad} aria-disabled={busy} className={PRIMARY}>
            {busy ? 'Saving...' : 'Save'}
          </button>
        </div>
      </form>
    </Card>
  );
}
