import { useState } from 'react';
import { BASIC_FORMATS, BASIC_RANGES, BASIC_TYPES } from '#features/exports/contract/exports.ts';
import { Card } from '#ui/card.tsx';
import { PRIMARY } from '#ui/form.tsx';
import { Choices, Tile } from './choices.tsx';
import { FORMATS, RANGES, TYPES } from './labels.ts';
import { MakingNote } from './making-note.tsx';
import { useCreate } from './use-create.ts';

const failed = (words: string) => `Export failed: ${words}`;

/** One dataset in one file. */
export function BasicForm() {
  const [dataType, setType] = useState<(typeof BASIC_TYPES)[number]>('crypto_prices');
  const [dateRange, setRange] = useState<(typeof BASIC_RANGES)[number]>('7d');
  const [format, setFormat] = useState<(typeof BASIC_FORMATS)[number]>('json');
  const { busy, inWork, problem, create } = useCreate({ failed });
  return (
    <Card id="create" title="New Export">
      <form
        className="grid gap-4 px-4 pb-4"
        onSubmit={(event) => {
          event.preventDefault();
          void create({ dataType, dateRange, format });
        }}
      >
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">Data type</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            {BASIC_TYPES.map((type) => (
              <Tile
                key={type}
                type="radio"
                group="data-type"
                name={TYPES[type][0]}
                note={TYPES[type][1]}
                checked={type === dataType}
                onChange={() => setType(type)}
              />
            ))}
          </div>
        </fieldset>
        <Choices legend="Date range" options={BASIC_RANGES} names={RANGES} value={dateRange} onChange={setRange} />
        <Choices legend="Format" options={BASIC_FORMATS} names={FORMATS} value={format} onChange={setFormat} />
        <button type="submit" disabled={busy} className={`${PRIMARY} w-full`}>
          {busy ? 'Creating Export...' : 'Create Export'}
        </button>
        <MakingNote inWork={inWork} problem={problem} />
      </form>
    </Card>
  );
}
