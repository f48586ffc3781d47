import { useId } from 'react';

import { announcementParts } from '#shared/chat-text.ts';
import { useNow } from '#ui/now.ts';

import { ChatBubble } from './chat-bubble.tsx';

/** As the chat will display it. */
export function AnnouncementPreview({ text }: { text: string }) {
  const id = useId();
  const now = useNow(60_000);
  const shown = text.trim();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col">
      <h3 id={id} className="mb-1 text-sm font-medium">
        Preview
      </h3>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
        tabIndex={0}
        className="flex max-h-[26rem] min-h-40 flex-1 flex-col overflow-y-auto rounded-card border border-line bg-raised p-3"
      >
        {shown ? (
          <ChatBubble from="bot" text={shown} parts={announcementParts(shown)} at={new Date(now).toISOString()} />
        ) : (
          <p className="m-auto text-sm text-ink-2">A preview of your message appears here.</p>
        )}
      </div>
    </section>
  );
}
