import type { ReactNode } from 'react';

import { Card } from './card.tsx';

type Props = { id: string; title: string; className: string; children?: ReactNode };

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** A card at the height it will have. Without children it is the skeleton of one that is on its way. */
export function CardFrame({ children, ...card }: Props) {
  return (
    <Card {...card}>
      {children ?? (
        <>
          <output className="sr-only">Loading {card.title}</output>
          <div className="grid flex-1 gap-3 px-4 pt-1 pb-4" aria-hidden="true">
            {ROWS.map((row) => (
              <div key={row} className="skel min-h-6" />
            ))}
          </div>
        </>
      )}
    </Card>
  );
}
