import type { CollectionRecord } from '#features/operations/contract/collections.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { valueWords } from './words.ts';

type Props = { of: string; records: readonly CollectionRecord[]; raw: boolean };

/** Records as they are, or by their fields. */
export function RecordList({ of, records, raw }: Props) {
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
