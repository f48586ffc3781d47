import { useEffect, useState } from 'react';
import { deleteAccount } from '#features/accounts/contract/auth.ts';
import { CallError } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Field } from '#ui/field.tsx';
import { FormError, FormNote, SECONDARY } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';
import { Modal } from '#ui/modal.tsx';
import { clearSession } from '#ui/session.ts';
import type { Failure } from '#ui/use-submit.ts';

const REDIRECT_MS = 2000;
const DONE = 'Account deleted successfully. You will be redirected to the home page.';
const FAILED = 'Failed to delete account. Please try again or contact support.';

export type DeleteAccountProps = {
  email: string;
  /** A paid plan that ends with the account, as text. */
  planThatEnds: string | null;
  /** The session ends during the deletion: the page must stay as it is. */
  onLeaving: (leaving: boolean) => void;
  onClose: () => void;
};

type Step = 'confirm' | 'deleting' | 'deleted';

export function DeleteAccountDialog({ email, planThatEnds, onLeaving, onClose }: DeleteAccountProps) {
  const [typed, setTyped] = useState('');
  const [step, setStep] = useState<Step>('confirm');
  const [failure, fail] = useState<Failure | null>(null);
  const matches = typed.trim().toLowerCase() === email.toLowerCase();
  useEffect(() => {
    if (step !== 'deleted') return undefined;
    const timer = setTimeout(() => location.assign('/'), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [step]);

  async function remove(): Promise<void> {
    setStep('deleting');
    fail(null);
    onLeaving(true);
    try {
      if (await callWithProof(deleteAccount, {})) {
        setStep('deleted');
        clearSession();
        return;
      }
    } catch (error) {
      fail({ message: FAILED, ...(error instanceof CallError ? { detail: error.message } : {}) });
    }
    onLeaving(false);
    setStep('confirm');
  }

  if (step === 'deleted')
    return (
      <Modal title="Account deleted" locked onClose={onClose}>
        <FormNote>{DONE}</FormNote>
      </Modal>
    );
  return (
    <Modal title="Delete your account?" locked={step === 'deleting'} onClose={onClose}>
      <form
        className="grid gap-3 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          if (matches && step === 'confirm') void remove();
        }}
      >
        <Fate planThatEnds={planThatEnds} />
        <Field
          label={`Type ${email} to confirm`}
          name="confirm-email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <FormError failure={failure} />
        {failure && (
          <Link to="/app/contact" className="font-medium text-accent hover:underline">
            Contact Support
          </Link>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" className={SECONDARY} disabled={step === 'deleting'} onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            disabled={!matches || step === 'deleting'}
            className="inline-flex h-11 items-center rounded-ctl bg-down px-4 text-base font-medium text-surface disabled:cursor-default disabled:opacity-60 sm:h-10"
          >
            {step === 'deleting' ? 'Deleting...' : 'Delete Account'}
          </button>
        </div>
      </form>
    </Modal>
  );
}

function Fate({ planThatEnds }: { planThatEnds: string | null }) {
  return (
    <>
      {planThatEnds && <p className="rounded-ctl bg-warn/10 px-3 py-2 font-medium text-warn">{planThatEnds}</p>}
      <div>
        <h3 className="font-semibold">Deleted immediately</h3>
        <ul className="mt-1 list-disc pl-5 text-ink-2">
          <li>your address, password, passkeys and two-factor settings</li>
          <li>all sessions on every device</li>
          <li>your plan and your notification settings</li>
        </ul>
      </div>
      <div>
        <h3 className="font-semibold">Retained</h3>
        <ul className="mt-1 list-disc pl-5 text-ink-2">
          <li>payment records, if any, for as long as the law requires</li>
          <li>a record that an account was deleted, without your address</li>
        </ul>
      </div>
      <p className="text-ink-2">We confirm it by email. This action cannot be undone.</p>
    </>
  );
}
