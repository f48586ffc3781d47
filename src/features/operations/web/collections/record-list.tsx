import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';

import type { CollectionRecord } from '#features/operations/contract/collections.ts';
import { Button } from '#ui/button.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { SearchBox } from '#ui/search-box.tsx';

import { valueWords } from './labels.ts';

type RecordListProps = { of: string; records: readonly CollectionRecord[]; raw: boolean };

/** Records raw or by field. */
export function RecordList({ of, records, raw }: RecordListProps) {
  if (raw)
    return (
      <div className="px-4 pb-3">
        <CodeBlock
          head={<span className="label">JSON</span>}
          label={`Raw records: ${of}`}
          text={JSON.stringify(records, null, 2)}
          what={`Records: ${of}`}
          tall
        />
      </div>
    );
  return (
    <ol aria-label={`Sample: ${of}`} className="border-t border-line">
      {records.map((record, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- records of some collections have no id of their own
        <li key={i} className="border-t border-line px-4 py-3 first:border-t-0">
          <Fields record={record} />
        </li>
      ))}
    </ol>
  );
}

const LONG = 40;

function Fields({ record }: { record: CollectionRecord }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-3">
      {Object.entries(record).map(([name, value]) => {
        const words = valueWords(value);
        return (
          <div key={name} className={words.length > LONG ? 'col-span-full min-w-0' : 'min-w-0'}>
            <dt className="label break-words">{name}</dt>
            <dd className="num text-sm [overflow-wrap:anywhere]">{words}</dd>
          </div>
        );
      })}
    </dl>
  );
}

type ToolBarProps = {
  label: string;
  q: string;
  onSearch: (q: string) => void;
  raw: boolean;
  onRaw: (raw: boolean) => void;
  onRefresh: () => void;
  /** Shown before the search. */
  children?: ReactNode;
};

/** Search and display options for stored records. */
export function ToolBar({ label, q, onSearch, raw, onRaw, onRefresh, children }: ToolBarProps) {
  return (
    <div role="search" className="card mb-3 flex flex-wrap items-center gap-2 p-3">
      {children}
      <SearchBox label={label} value={q} onSearch={onSearch} />
      <Button className="max-sm:h-10" onClick={() => onRaw(!raw)}>
        {raw ? 'Hide Raw' : 'Show Raw'}
      </Button>
      <Button className="max-sm:h-10 sm:ml-auto" onClick={onRefresh}>
        <RotateCw className="size-3.5" aria-hidden="true" />
        Refresh
      </Button>
    </div>
  );
}
