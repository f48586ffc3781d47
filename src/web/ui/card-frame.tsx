import type { ReactNode } from 'react';

import { Card } from './card.tsx';

type Props = { id: string; title: string; className: string; children?: ReactNode };

const ROWS = 'abcdefghijklmn'.split('');

/** A card at the height it will have. Without children it is the skeleton of one that is on its way. */
export function CardFrame({ children, ...card }: Props) {
  return (
    <Card {...card}>
      {children ?? (
        <>
          <output className="sr-only">Loading {card.title}</output>
          <div className="flex flex-1 basis-0 flex-col gap-3 overflow-hidden px-4 pt-1" aria-hidden="true">
            {ROWS.map((row) => (
              <div key={row} className="skel h-8 shrink-0" />
            ))}
          </div>
        </>
      )}
    </Card>
  );
}
