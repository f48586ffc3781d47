import type { ReactNode } from 'react';

import { Card } from './card.tsx';

/** Name and height of a card before it has loaded. */
export type CardPlace = { id: string; title: string; className: string };

const ROWS = 'abcdefghijklmn'.split('');

/** A card with a reserved height. Without children it is a loading skeleton. */
export function CardFrame({ children, ...card }: CardPlace & { children?: ReactNode }) {
  return (
    <Card {...card}>
      {children ?? (
        <>
          <output className="sr-only">Loading {card.title}</output>
          <div className="breathe flex flex-1 basis-0 flex-col gap-3 overflow-hidden px-4 pt-1" aria-hidden="true">
            {ROWS.map((row) => (
              <div key={row} className="h-8 shrink-0 rounded-chip bg-line" />
            ))}
          </div>
        </>
      )}
    </Card>
  );
}

/** Options of `part` for a card: its frame is shown while it loads and around its error. */
export const lateCard = (card: CardPlace) => ({
  name: card.title,
  loading: <CardFrame {...card} />,
  frame: (state: ReactNode) => <CardFrame {...card}>{state}</CardFrame>,
});
