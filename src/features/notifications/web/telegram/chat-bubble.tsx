import type { ChatPart } from '#shared/chat-text.ts';
import { clockTime } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { TEXT_LINK } from '#ui/form.tsx';

type Props = { from: 'you' | 'bot'; text: string; parts?: readonly ChatPart[] | undefined; at: string };

/** One message of a chat, as a phone shows it. */
export function ChatBubble({ from, text, parts, at }: Props) {
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
