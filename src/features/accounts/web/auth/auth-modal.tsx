import { ArrowLeft, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { SignedIn, User } from '#features/accounts/contract/auth.ts';
import { BRAND } from '#shared/brand.ts';
import { DemoMail } from '#ui/demo-mail.tsx';
import { Field } from '#ui/field.tsx';
import { FormError, Submit, TEXT_LINK } from '#ui/form.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { startSession } from '#ui/session.ts';
import { useSubmit } from '#ui/use-submit.ts';
import { CredentialsView, type Mode } from './credentials-view.tsx';
import { EmailField } from './email-field.tsx';
import { askForReset, type Credentials, type LoginReply, proveSecondFactor } from './queries.ts';
import { ResendForm } from './resend-form.tsx';

/** Heading of an informational view; it takes the focus, so that screen readers announce it. */
function ViewText({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 id="auth-title" tabIndex={-1} data-focus className="text-xl font-semibold tracking-[-0.02em] outline-none">
        {title}
      </h2>
      <p className="mt-1.5 text-base text-ink-2">{children}</p>
    </div>
  );
}

type Props = { challenge: string; onSignedIn: (signedIn: SignedIn) => void };

function TwoFactorView({ challenge, onSignedIn }: Props) {
  const [backup, setBackup] = useState(false);
  const [typed, setTyped] = useState('');
  const { busy, failure, fail, submit } = useSubmit('Authentication failed', async (signal) =>
    onSignedIn(await proveSecondFactor({ challenge, code: typed.replaceAll(/\s/g, '') }, signal)),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  const change = () => {
    setBackup(!backup);
    setTyped('');
    fail(null);
  };
  return (
    <form onSubmit={onSubmit} className="grid gap-4 p-5 pt-3 sm:p-6 sm:pt-3">
      <ViewText title="Two-factor code">
        {backup
          ? 'Enter one of your backup codes. Each works once.'
          : `Enter the six-digit code your authenticator app shows for ${BRAND.name}.`}
      </ViewText>
      <Field
        key={backup ? 'backup' : 'app'}
        label={backup ? 'Backup code' : 'Code'}
        name="code"
        required
        autoCapitalize="none"
        spellCheck={false}
        className="num tracking-[0.2em]"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        {...(backup
          ? { autoComplete: 'off', minLength: 6, maxLength: 32 }
          : {
              autoComplete: 'one-time-code',
              inputMode: 'numeric',
              pattern: '\\d{3} ?\\d{3}',
              maxLength: 7,
              title: 'Six digits',
            })}
      />
      <FormError failure={failure} />
      <Submit busy={busy} busyText="Verifying…">
        Verify
      </Submit>
      <button type="button" onClick={change} className={`${TEXT_LINK} h-10 justify-self-center text-sm`}>
        {backup ? 'Use the authenticator app instead' : 'Use a backup code instead'}
      </button>
    </form>
  );
}

type CheckEmailViewProps = { email: string; demoMail: string | undefined };

function CheckEmailView({ email, demoMail }: CheckEmailViewProps) {
  return (
    <div className="grid gap-4 p-5 pt-3 sm:p-6 sm:pt-3">
      <ViewText title="Check Your Email">
        We sent a message to <strong className="font-medium break-all text-ink">{email}</strong>. Its link confirms your
        address and signs you in. It works once and expires in 24 hours.
      </ViewText>
      <ResendForm email={email} demoMail={demoMail} />
    </div>
  );
}

type ForgotProps = {
  email: string;
  onType: (email: string) => void;
  onSent: (demoMail: string | undefined) => void;
};

function ForgotView({ email, onType, onSent }: ForgotProps) {
  const { busy, failure, submit } = useSubmit('Failed to send password reset email', async (signal) =>
    onSent((await askForReset(email, signal)).demoMail),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <form onSubmit={onSubmit} className="grid gap-4 p-5 pt-3 sm:p-6 sm:pt-3">
      <ViewText title="Forgot your password?">
        Enter your account email. We’ll send you a link to choose a new one.
      </ViewText>
      <EmailField value={email} onType={onType} />
      <FormError failure={failure} />
      <Submit busy={busy} busyText="Sending…">
        Send Reset Link
      </Submit>
    </form>
  );
}

function ResetSentView({ demoMail }: { demoMail: string | undefined }) {
  return (
    <div className="grid gap-4 p-5 pt-3 sm:p-6 sm:pt-3">
      <ViewText title="Check your inbox">
        If an account with that email exists, a password reset link has been sent.
      </ViewText>
      <DemoMail href={demoMail} />
    </div>
  );
}

type View =
  | { name: 'credentials' }
  | { name: 'forgot' }
  | { name: 'reset-sent'; demoMail: string | undefined }
  | { name: 'check-email'; email: string; demoMail: string | undefined }
  | { name: 'two-factor'; challenge: string };

type AuthModalProps = {
  mode: Mode;
  onMode: (mode: Mode) => void;
  onClose: () => void;
  /** Token and user are already stored. */
  onSignedIn: (user: User) => void;
};

const MODES = ['Sign In', 'Sign Up'] as const;

export function AuthModal({ mode, onMode, onClose, onSignedIn }: AuthModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [view, show] = useState<View>({ name: 'credentials' });
  const [typed, setTyped] = useState<Credentials>({ email: '', password: '' });
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const first = view.name === 'credentials' ? 'input:checked' : '[data-focus]';
    dialog.current?.querySelector<HTMLElement>(first)?.focus();
  }, [view.name]);

  const finish = ({ token, user }: SignedIn) => {
    startSession(token, user);
    onSignedIn(user);
  };
  const take = (reply: LoginReply) => {
    if ('requiresConfirmation' in reply) show({ name: 'check-email', email: reply.email, demoMail: reply.demoMail });
    else if ('requiresTwoFactor' in reply) show({ name: 'two-factor', challenge: reply.challenge });
    else finish(reply);
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby="auth-title"
      onClose={onClose}
      className="fixed top-[10vh] m-0 mx-auto max-h-[85vh] w-[min(26rem,calc(100vw-1.5rem))] max-w-none rounded-card border border-line-strong bg-surface p-0 text-ink floating backdrop:bg-black/50"
    >
      <div className="flex items-center justify-between gap-3 p-5 pb-2 sm:px-6">
        {view.name === 'credentials' ? (
          <Segmented
            label="Sign in or sign up"
            value={mode === 'login' ? 'Sign In' : 'Sign Up'}
            options={MODES}
            onChange={(next) => onMode(next === 'Sign In' ? 'login' : 'register')}
            className="grow [&>label]:h-9 [&>label]:grow [&>label]:text-sm"
          />
        ) : (
          <button
            type="button"
            onClick={() => {
              show({ name: 'credentials' });
              onMode('login');
            }}
            className="-ml-2.5 inline-flex h-10 items-center gap-2 rounded-ctl px-2.5 text-sm font-medium text-ink-2 hover:bg-raised hover:text-ink"
          >
            <ArrowLeft className="size-4" aria-hidden="true" />
            Back to Sign In
          </button>
        )}
        <button
          type="button"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
          className="-mr-2 grid size-10 place-items-center rounded-ctl text-ink-3 hover:bg-raised hover:text-ink"
        >
          <X className="size-4" aria-hidden="true" />
        </button>
      </div>
      {view.name === 'credentials' && (
        <CredentialsView
          key={mode}
          mode={mode}
          typed={typed}
          onType={setTyped}
          onReply={take}
          onForgot={() => show({ name: 'forgot' })}
        />
      )}
      {view.name === 'forgot' && (
        <ForgotView
          email={typed.email}
          onType={(email) => setTyped({ ...typed, email })}
          onSent={(demoMail) => show({ name: 'reset-sent', demoMail })}
        />
      )}
      {view.name === 'reset-sent' && <ResetSentView demoMail={view.demoMail} />}
      {view.name === 'check-email' && <CheckEmailView email={view.email} demoMail={view.demoMail} />}
      {view.name === 'two-factor' && <TwoFactorView challenge={view.challenge} onSignedIn={finish} />}
    </dialog>
  );
}
