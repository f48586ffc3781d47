import { Fragment, type ReactNode, useState } from 'react';

import { ago, dateTime } from '#shared/format.ts';

import { Badge, type Tone } from './badge.tsx';
import { Button } from './button.tsx';
import { useNow } from './now.ts';

/** One page of an inbox: the items before `before`, and how to load the next page. */
export type InboxPage = { before: number | null; last: boolean; onMore: (before: number) => void };

/** Pages below each other; the next is loaded on request. Remount it to start over. */
export function Inbox({ renderPage }: { renderPage: (page: InboxPage) => ReactNode }) {
  const [starts, setStarts] = useState<readonly (number | null)[]>([null]);
  return (
    <ul className="flex flex-1 flex-col border-t border-line">
      {starts.map((before) => (
        <Fragment key={before ?? 'newest'}>
          {renderPage({
            before,
            last: before === starts.at(-1),
            onMore: (next) => setStarts([...starts, next]),
          })}
        </Fragment>
      ))}
    </ul>
  );
}

export function LoadMore({ onMore }: { onMore: () => void }) {
  return (
    <li className="border-t border-line px-4 py-3 text-center">
      <Button onClick={onMore} className="max-sm:h-10">
        Load more
      </Button>
    </li>
  );
}

type RowProps = {
  title: string;
  /** Its sender or recipient. */
  who: string;
  note?: ReactNode;
  state: { words: string; tone: Tone };
  createdAt: string;
  onOpen: () => void;
};

/** A message in one line of a list; a click opens it. */
export function InboxRow({ title, who, note, state, createdAt, onOpen }: RowProps) {
  const now = useNow(60_000);
  const at = Date.parse(createdAt);
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        onClick={onOpen}
        className="grid min-h-14 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2 text-left text-sm hover:bg-raised focus-visible:-outline-offset-2"
      >
        <span className="min-w-0">
          <span className="block font-medium break-words">{title}</span>
          <span className="block truncate text-xs text-ink-3">{who}</span>
          {note}
        </span>
        <span className="grid justify-items-end gap-0.5">
          <Badge tone={state.tone}>{state.words}</Badge>
          <time dateTime={createdAt} title={dateTime(at)} className="num label">
            {ago(now - at)}
          </time>
        </span>
      </button>
    </li>
  );
}
