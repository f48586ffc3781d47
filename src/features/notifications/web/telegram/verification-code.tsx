import { ExternalLink } from 'lucide-react';
import { CODE_MINUTES, type TelegramStatus, writeDemoChat } from '#features/notifications/contract/telegram.ts';
import { call } from '#ui/api/client.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { PRIMARY, SECONDARY } from '#ui/form.tsx';
import { useNow } from '#ui/now.ts';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';

export type Code = Pick<TelegramStatus, 'deepLink' | 'botUsername' | 'simulated'> & { code: string; expiresAt: string };

const MAX_SECONDS = CODE_MINUTES * 60;

/** Seconds until the code expires; at most ten minutes, even if this device's clock is wrong. */
function useSecondsLeft(expiresAt: string): number {
  const now = useNow();
  if (now === 0) return MAX_SECONDS;
  return Math.min(MAX_SECONDS, Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / 1000)));
}

/** '9:05' */
const countdownText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

type Props = {
  code: Code;
  /** The server no longer knows it. */
  isOver: boolean;
  isBusy: boolean;
  onAnother: () => void;
  onSent: () => void;
};

/** A code, its remaining time, and the ways to send it to the bot. */
export function VerificationCode({ code: { code, expiresAt, ...bot }, isOver, isBusy, onAnother, onSent }: Props) {
  const seconds = useSecondsLeft(expiresAt);
  const isExpired = isOver || seconds === 0;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-ctl border border-line bg-raised px-4 py-3">
        <div className="min-w-0">
          <p className="label">Verification code</p>
          <p className={`num font-mono text-xl ${isExpired ? 'text-ink-3' : ''}`}>{code}</p>
        </div>
        <div>
          <p className="label">Expires in</p>
          <p role="timer" className={`num text-xl ${isExpired ? 'text-down' : ''}`}>
            {isExpired ? 'Expired' : countdownText(seconds)}
          </p>
        </div>
        {!isExpired && (
          <div className="sm:ml-auto">
            <CopyButton text={code} what="Code" />
          </div>
        )}
      </div>
      {isExpired ? (
        <div>
          <button type="button" aria-disabled={isBusy} onClick={onAnother} className={SECONDARY}>
            {isBusy ? 'Generating...' : 'Generate New Code'}
          </button>
        </div>
      ) : (
        <Ways code={code} {...bot} onSent={onSent} />
      )}
    </div>
  );
}

function Ways({ code, deepLink, botUsername, simulated, onSent }: Omit<Code, 'expiresAt'> & { onSent: () => void }) {
  const name = botUsername ? `@${botUsername}` : 'this site’s bot';
  return (
    <>
      <p className="text-ink-2">
        {deepLink ? 'Open Telegram with the button and press Start, or send ' : 'In Telegram, send '}
        <code className="break-words text-ink">/verify {code}</code> to{' '}
        <span className="font-medium text-ink">{name}</span>. This page updates automatically.
      </p>
      <div className="flex flex-wrap gap-2">
        {deepLink && (
          <a href={deepLink} target="_blank" rel="noreferrer" className={PRIMARY}>
            Open Telegram
            <ExternalLink className="ml-2 size-4" aria-hidden="true" />
          </a>
        )}
        {simulated && <Simulated code={code} onSent={onSent} />}
      </div>
    </>
  );
}

/** Demo mode has its own Telegram: the message is sent there. */
function Simulated({ code, onSent }: { code: string; onSent: () => void }) {
  const { busy, submit } = useSubmit('', async (signal) => {
    try {
      await call(writeDemoChat, { body: { text: `/verify ${code}` } }, signal);
      onSent();
    } catch {
      toast('error', 'The simulated Telegram is not responding');
    }
  });
  return (
    <button type="button" aria-disabled={busy} onClick={() => void submit()} className={PRIMARY}>
      {busy ? 'Sending...' : 'Send it in the simulated Telegram'}
    </button>
  );
}
