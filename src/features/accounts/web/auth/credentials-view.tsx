import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react';

import { ACCOUNT_DISABLED, SIGN_UPS_CLOSED, type SignedIn } from '#features/accounts/contract/auth.ts';
import { BRAND } from '#shared/brand.ts';
import {
  ADMIN_GUESSES,
  addressWords,
  buildRanks,
  EASY_GUESSES,
  guessesFor,
  type Ranks,
  withOwn,
} from '#shared/guesses.ts';
import { cx } from '#ui/cx.ts';
import { FormError, SECONDARY, Submit, TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { useSubmit } from '#ui/use-submit.ts';

import { EmailField } from './email-field.tsx';
import { passkeysWork } from './passkey-support.ts';
import { type Credentials, type LoginReply, signIn, signInOptionsQuery, signUp } from './queries.ts';

type DemoAccountsProps = { busy: boolean; onChoose: (account: { email: string; password: string }) => void };

/** Demo mode only: one account per plan, one click each. */
function DemoAccounts({ busy, onChoose }: DemoAccountsProps) {
  const { data } = useQuery(signInOptionsQuery);
  const [first] = data?.demoAccounts ?? [];
  if (!data || !first) return null;
  return (
    <section aria-labelledby="demo-accounts" className="border-t border-line bg-raised/50 p-5 sm:px-6">
      <h3 id="demo-accounts" className="text-sm font-semibold">
        Demo accounts
      </h3>
      <p className="text-sm text-ink-2">
        One click signs you in. Their password: <span className="num whitespace-nowrap text-ink">{first.password}</span>
      </p>
      <ul className="mt-3 grid grid-cols-2 gap-2">
        {data.demoAccounts.map(({ plan, planName, email, password }) => (
          <li key={plan}>
            <button
              type="button"
              aria-disabled={busy}
              onClick={() => onChoose({ email, password })}
              className="w-full rounded-ctl border border-line-strong bg-surface px-2.5 py-2 text-left hover:border-ink-3"
            >
              <span className="block text-sm font-medium">{planName}</span>
              <span className="label block truncate">{email}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

type TermsProps = { agreed: boolean; missed: boolean; onChange: (agreed: boolean) => void };

const TERMS_MISSED = 'Please agree to the Terms & Conditions and Privacy Policy to continue.';

/** The texts open in a new tab, so that typed values are preserved. */
function Terms({ agreed, missed, onChange }: TermsProps) {
  return (
    <label className="flex cursor-pointer items-start gap-2.5 py-1 text-sm">
      <input
        type="checkbox"
        name="terms"
        checked={agreed}
        aria-invalid={missed || undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-(--accent)"
      />
      <span>
        I agree to the <Text href="/app/terms">Terms & Conditions</Text> and{' '}
        <Text href="/app/privacy">Privacy Policy</Text>
      </span>
    </label>
  );
}

function Text({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener" className="font-medium text-accent underline underline-offset-2">
      {children}
    </a>
  );
}

/** For a stolen copy of the hashes and one good graphics card. */
const GUESSES_PER_SECOND = 1e4;
const DAY = 86_400;

const TIMES: readonly (readonly [belowSeconds: number, words: string])[] = [
  [60, 'in seconds'],
  [3600, 'in minutes'],
  [DAY, 'in hours'],
  [30 * DAY, 'in days'],
  [365 * DAY, 'in months'],
  [36_500 * DAY, 'in years'],
];

/** 0 to 3: from easy to guess to infeasible. */
const LEVELS = [EASY_GUESSES, ADMIN_GUESSES, 1e14];
const ADVICE = ['Use three or four words.', 'One more word makes it far safer.', 'Good.', 'Very good.'] as const;

type Strength = { level: number; words: string };

let ranks: Promise<Ranks> | undefined;

/** The lists of common passwords and words are large: loaded when a password is entered. */
export const loadRanks = (): Promise<Ranks> =>
  (ranks ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => buildRanks(dictionary['passwords-common'], dictionary['diceware-common']),
    (error: unknown) => {
      ranks = undefined;
      throw error;
    },
  ));

/** Describes the effort of a guesser who knows the address. */
export function estimateStrength(password: string, email: string, known: Ranks): Strength {
  const guesses = guessesFor(password, withOwn(known, addressWords(email)));
  const seconds = guesses / GUESSES_PER_SECOND;
  const time = guesses < EASY_GUESSES ? 'in seconds' : TIMES.find(([below]) => seconds < below)?.[1];
  const level = LEVELS.filter((least) => guesses >= least).length;
  return { level, words: `${time ? `Guessed ${time}` : 'Takes more than a lifetime to guess'}. ${ADVICE[level]}` };
}

const STEPS = [0, 1, 2, 3];

/** The lists for rating passwords; null until loaded. */
function useRanks(wanted: boolean): Ranks | null {
  const [ranks, setRanks] = useState<Ranks | null>(null);
  useEffect(() => {
    // Without them the meter is empty: the server rates the password anyway.
    if (wanted)
      loadRanks().then(
        (loaded) => setRanks(loaded),
        () => undefined,
      );
  }, [wanted]);
  return ranks;
}

/** Informs without refusing: only common passwords are refused, by the server. */
function PasswordMeter({ id, password, email }: { id: string; password: string; email: string }) {
  const ranks = useRanks(password !== '');
  const guessing = useMemo(
    () => (ranks && password ? estimateStrength(password, email, ranks) : null),
    [ranks, password, email],
  );
  return (
    <div id={id} className="mt-2">
      <div className="flex gap-1" aria-hidden="true">
        {STEPS.map((step) => (
          <span
            key={step}
            className={cx(
              'h-1 flex-1 rounded-full',
              guessing && step <= guessing.level ? (guessing.level === 0 ? 'bg-warn' : 'bg-accent') : 'bg-line-strong',
            )}
          />
        ))}
      </div>
      <output className="mt-1 block min-h-5 text-xs text-ink-2">
        {guessing ? guessing.words : 'No rules. Three or four words work well.'}
      </output>
    </div>
  );
}

/** From the first focus of the email field, the browser may suggest passkeys. Returns the focus handler. */
function usePasskeySuggestions(onChosen: (signIn: () => Promise<SignedIn>) => void): () => void {
  const asking = useRef<AbortController | null>(null);
  useEffect(
    () => () => {
      asking.current?.abort();
      asking.current = null;
    },
    [],
  );
  return () => {
    if (asking.current || !passkeysWork()) return;
    const controller = new AbortController();
    asking.current = controller;
    import('./passkey.ts')
      .then(({ suggestPasskeys }) => suggestPasskeys(controller.signal))
      .then((signIn) => {
        if (signIn && !controller.signal.aborted) onChosen(signIn);
      })
      .catch(() => undefined);
  };
}

export type Mode = 'login' | 'register';

type CredentialsViewProps = {
  mode: Mode;
  typed: Credentials;
  onType: (typed: Credentials) => void;
  onReply: (reply: LoginReply) => void;
  onForgot: () => void;
};

/** Sign in and sign up. Typed values belong to the dialog; error and checkbox reset with the mode. */
export function CredentialsView({ mode, typed, onType, onReply, onForgot }: CredentialsViewProps) {
  const meter = useId();
  const [agreed, setAgreed] = useState(false);
  const { busy, failure, fail, submit } = useSubmit(
    'Authentication failed',
    async (signal, ask: (signal: AbortSignal) => Promise<LoginReply>) => onReply(await ask(signal)),
  );
  const suggest = usePasskeySuggestions((chosen) => void submit(chosen));
  const up = mode === 'register';
  const closed = useQuery(signInOptionsQuery).data?.signUpsOpen === false && up;
  const missed = failure?.message === TERMS_MISSED;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (up && !agreed) fail({ message: TERMS_MISSED });
    else void submit((signal) => (up ? signUp : signIn)(typed, signal));
  };

  return (
    <>
      <div className="grid gap-4 p-5 pt-3 sm:px-6">
        <h2 id="auth-title" className="text-xl font-semibold tracking-[-0.02em]">
          {up ? 'Create your account' : `Sign in to ${BRAND.name}`}
        </h2>
        {closed && (
          <p role="status" className="text-sm text-ink-2">
            {SIGN_UPS_CLOSED} Existing users can still sign in.
          </p>
        )}
        <form onSubmit={onSubmit} hidden={closed} className="grid gap-4">
          <EmailField
            autoComplete={up ? 'username' : 'username webauthn'}
            value={typed.email}
            onFocus={up ? undefined : suggest}
            onType={(email) => onType({ ...typed, email })}
          />
          <div>
            <PasswordField
              label="Password"
              name="password"
              required
              autoComplete={up ? 'new-password' : 'current-password'}
              explained={up ? meter : undefined}
              value={typed.password}
              onChange={(event) => onType({ ...typed, password: event.target.value })}
            />
            {up ? (
              <PasswordMeter id={meter} {...typed} />
            ) : (
              <button type="button" onClick={onForgot} className={`${TEXT_LINK} -mb-2 h-10 text-sm`}>
                Forgot password?
              </button>
            )}
          </div>
          {up && <Terms agreed={agreed} missed={missed} onChange={setAgreed} />}
          <FormError failure={failure} />
          {failure?.message === ACCOUNT_DISABLED && (
            <Link to="/app/contact" className={`${TEXT_LINK} text-sm`}>
              Contact support
            </Link>
          )}
          <Submit busy={busy} busyText={up ? 'Creating your account…' : 'Signing in…'}>
            {up ? 'Sign Up' : 'Sign In'}
          </Submit>
        </form>
        {!up && passkeysWork() && (
          <button
            type="button"
            aria-disabled={busy}
            onClick={() => void submit(async (signal) => (await import('./passkey.ts')).signInWithPasskey(signal))}
            className={SECONDARY}
          >
            <KeyRound className="size-4" aria-hidden="true" />
            Sign in with a passkey
          </button>
        )}
      </div>
      <DemoAccounts
        busy={busy}
        onChoose={({ email, password }) => void submit((signal) => signIn({ email, password }, signal))}
      />
    </>
  );
}
