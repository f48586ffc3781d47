import { Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';

import type { ChatPart } from '#shared/chat-text.ts';
import { clockTime } from '#shared/format.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { PRIMARY, TEXT_LINK } from '#ui/form.tsx';
import { INPUT } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';

type ChatBubbleProps = { from: 'you' | 'bot'; text: string; parts?: readonly ChatPart[] | undefined; at: string };

/** A chat message as a phone shows it. */
export function ChatBubble({ from, text, parts, at }: ChatBubbleProps) {
  return (
    <div
      className={cx(
        'max-w-72 rounded-card border px-3 py-2 text-sm',
        from === 'you' ? 'self-end border-accent/40 bg-accent/10' : 'self-start border-line bg-surface',
      )}
    >
      <p className="break-words whitespace-pre-wrap">
        <span className="sr-only">{from === 'you' ? 'You: ' : 'The bot: '}</span>
        {(parts ?? [{ text }]).map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text stand as they are
          <Piece key={index} part={part} />
        ))}
      </p>
      <p className="num text-right text-2xs text-ink-2">{clockTime(Date.parse(at))}</p>
    </div>
  );
}

function Piece({ part: { text, style, href } }: { part: ChatPart }) {
  if (href !== undefined)
    return (
      <a href={href} target="_blank" rel="noreferrer noopener" className={cx(TEXT_LINK, 'underline')}>
        {text}
      </a>
    );
  if (style === 'bold') return <strong className="font-semibold">{text}</strong>;
  return style === 'italic' ? <em className="italic">{text}</em> : text;
}

const COMMANDS = ['/start', '/status', '/help'] as const;
const MOST = 4096;

type ChatWritingProps = {
  /** A code waiting to be sent to the bot. */
  code: string | null;
  isConnected: boolean;
  busy: boolean;
  onSend: (text: string) => void;
};

/** Input for the bot: command buttons or free text. */
export function ChatWriting({ code, isConnected, busy, onSend }: ChatWritingProps) {
  const [text, setText] = useState('');
  function send(event: FormEvent): void {
    event.preventDefault();
    const written = text.trim();
    if (busy || !written) return;
    onSend(written);
    setText('');
  }
  return (
    <form onSubmit={send} className="grid gap-2 border-t border-line p-3">
      {!isConnected && !code && (
        <p className="text-sm text-ink-2">
          To connect this chat, generate a code in{' '}
          <Link to="/app/profile?tab=notifications" className={TEXT_LINK}>
            your notification settings
          </Link>
          .
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {code && (
          <Button aria-disabled={busy} onClick={() => onSend(`/verify ${code}`)} className="max-sm:h-10">
            Send your code {code}
          </Button>
        )}
        {COMMANDS.map((command) => (
          <Button key={command} aria-disabled={busy} onClick={() => onSend(command)} className="max-sm:h-10">
            {command}
          </Button>
        ))}
      </div>
      <div className="flex gap-2">
        <input
          aria-label="Message to the bot"
          value={text}
          maxLength={MOST}
          autoComplete="off"
          placeholder="Message"
          onChange={(event) => setText(event.target.value)}
          className={INPUT}
        />
        <button type="submit" aria-label="Send" aria-disabled={busy} className={PRIMARY}>
          <Send className="size-4" aria-hidden="true" />
        </button>
      </div>
    </form>
  );
}
