import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { generateTelegramCode, type TelegramStatus } from '#features/notifications/contract/telegram.ts';
import { CallError } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CardFrame } from '#ui/card-frame.tsx';
import { PRIMARY, SECONDARY } from '#ui/form.tsx';
import { part } from '#ui/part.tsx';
import { useToken } from '#ui/session.ts';
import { ErrorState } from '#ui/states.tsx';
import { Tag } from '#ui/tag.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';
import type { DisconnectProps } from './disconnect-telegram.tsx';
import { errorSentence, telegramQuery } from './queries.ts';
import { type Code, VerificationCode } from './verification-code.tsx';

const DisconnectTelegram = part<DisconnectProps>({
  name: 'The dialog',
  load: async () => (await import('./disconnect-telegram.tsx')).DisconnectTelegram,
});

const CARD = { id: 'telegram', title: 'Telegram', className: 'min-h-40' };

/** Connects a Telegram chat by a code, shows the connection and disconnects it. */
export function TelegramPanel() {
  const token = useToken();
  const { data, error, refetch } = useQuery(telegramQuery(token));
  if (token === null || (error instanceof CallError && error.status === 401)) return <SignedOut />;
  if (data) return <Loaded status={data} />;
  if (!error) return <CardFrame {...CARD} />;
  const message = errorSentence(error, () => 'Failed to load Telegram status', 'Error loading Telegram status');
  return (
    <CardFrame {...CARD}>
      <ErrorState message={message} detail={error.message} onRetry={() => void refetch()} />
    </CardFrame>
  );
}

function Frame({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <Card {...CARD} note={note}>
      <div className="grid gap-3 px-4 pt-1 pb-4 text-sm">{children}</div>
    </Card>
  );
}

function SignedOut() {
  return (
    <Frame>
      <p role="alert" className="font-medium">
        Authentication required. Please log in.
      </p>
      <div>
        <ButtonLink to="/app?auth=login" className="h-10 px-4">
          Sign In
        </ButtonLink>
      </div>
    </Frame>
  );
}

function Loaded({ status }: { status: TelegramStatus }) {
  const { hasBot, verified, canConnect, blocked } = status;
  if (!hasBot)
    return (
      <Frame note={<Badge>Not available</Badge>}>
        <p className="max-w-[60ch] text-balance text-ink-2">
          This server has no Telegram bot. Its operator can add one.
        </p>
      </Frame>
    );
  if (verified) return <Connected status={status} />;
  if (canConnect) return <NotConnected status={status} />;
  return (
    <Frame note={<Tag>Pro</Tag>}>
      <p className="max-w-[60ch] text-balance text-ink-2">
        With Pro, alerts are also sent to your Telegram chat, with value, source and age.
        {blocked && ' The connected chat has blocked the bot.'}
      </p>
      <div>
        <ButtonLink to="/app/subscription" className="h-10 px-4">
          Upgrade to Pro
        </ButtonLink>
      </div>
    </Frame>
  );
}

const useRefresh = () => {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['telegram'] });
};

function Connected({ status: { chatId, botUsername, canConnect } }: { status: TelegramStatus }) {
  return (
    <Frame note={<Badge tone="up">Connected</Badge>}>
      <p className="max-w-[60ch] text-balance text-ink-2">
        Messages are sent by {botUsername ? <span className="text-ink">@{botUsername}</span> : 'our bot'} to your chat{' '}
        <span className="num font-medium text-ink">{chatId}</span>.
        {!canConnect && ' They are paused because Telegram notifications require Pro.'}
      </p>
      <Disconnect />
    </Frame>
  );
}

function Disconnect() {
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  return (
    <div>
      <button type="button" onClick={() => setAsking(true)} className={SECONDARY}>
        Disconnect
      </button>
      {asking && <DisconnectTelegram onDisconnected={refresh} onClose={() => setAsking(false)} />}
    </div>
  );
}

const codeIn = ({ code, expiresAt, ...rest }: TelegramStatus): Code | null =>
  code !== null && expiresAt !== null ? { code, expiresAt, ...rest } : null;

function NotConnected({ status }: { status: TelegramStatus }) {
  const refresh = useRefresh();
  const queries = useQueryClient();
  const token = useToken();
  const live = codeIn(status);
  // An expired code stays on the page until another one is requested.
  const [seen, setSeen] = useState(live);
  if (live && live.code !== seen?.code) setSeen(live);
  const shown = live ?? seen;
  useConnectionToast(token);

  const { busy, submit } = useSubmit('', async (signal) => {
    try {
      const made = await callWithProof(generateTelegramCode, {}, signal);
      if (!made) return;
      queries.setQueryData(telegramQuery(token).queryKey, { ...status, ...made, hasValidCode: true });
      toast('success', 'Verification code generated! It expires in 10 minutes.');
    } catch (error) {
      if (signal.aborted) return;
      const refused = (words: string) => `Failed to generate code: ${words}`;
      toast('error', errorSentence(error, refused, 'Error generating verification code'));
    }
  });

  const { blocked } = status;
  return (
    <Frame note={blocked ? <Badge tone="warn">Stopped</Badge> : <Badge>Not connected</Badge>}>
      <p className="max-w-[60ch] text-balance text-ink-2">
        {blocked
          ? 'You blocked the bot in Telegram, so nothing is sent. Restart it there, or connect a chat with a new code.'
          : 'Receive alerts in a private chat with our bot. Generate a code and send it to the bot.'}
      </p>
      {shown ? (
        <VerificationCode
          key={shown.code}
          code={shown}
          isOver={!live}
          isBusy={busy}
          onAnother={() => void submit()}
          onSent={refresh}
        />
      ) : (
        <div>
          <button type="button" aria-disabled={busy} onClick={() => void submit()} className={PRIMARY}>
            {busy ? 'Generating...' : 'Generate Verification Code'}
          </button>
        </div>
      )}
      {blocked && <Disconnect />}
    </Frame>
  );
}

/** This view is unmounted the moment the chat is connected. */
function useConnectionToast(token: string | null): void {
  const queries = useQueryClient();
  useEffect(
    () => () => {
      const now = queries.getQueryData(telegramQuery(token).queryKey);
      if (now?.verified) toast('success', 'Telegram account connected successfully!');
    },
    [queries, token],
  );
}
