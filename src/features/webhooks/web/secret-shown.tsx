import { CopyButton } from '#web/ui/copy-button.tsx';
import { PRIMARY } from '#web/ui/form.tsx';

type Props = {
  secret: string;
  /** It takes the place of another one. */
  isNew: boolean;
  onDone: () => void;
};

/** Shown this once. */
export function SecretShown({ secret, isNew, onDone }: Props) {
  return (
    <div className="grid gap-3 text-sm">
      <p className="text-ink-2">
        Your server checks with it that a call is ours. Keep it there: it is not shown again.
        {isNew && ' The secret before it signs too for another 24 hours.'}
      </p>
      <p className="rounded-ctl bg-raised px-3 py-3 font-mono text-sm break-all">{secret}</p>
      <div>
        <CopyButton text={secret} what="Secret" />
      </div>
      <button type="button" onClick={onDone} className={PRIMARY}>
        I have saved the secret
      </button>
    </div>
  );
}
