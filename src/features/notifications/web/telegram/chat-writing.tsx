import { Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';

import { Button } from '#ui/button.tsx';
import { PRIMARY, TEXT_LINK } from '#ui/form.tsx';
import { INPUT } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';

const COMMANDS = ['/start', '/status', '/help'] as const;
const MOST = 4096;

type Props = {
  /** One that waits to be sent to the bot. */
  code: string | null;
  isConnected: boolean;
  busy: boolean;
  onSend: (text: string) => void;
};

/** What can be written to the bot: commands at a touch, or any text. */
export function ChatWriting({ code, isConnected, busy, onSend }: Props) {
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
