import { CODE } from '#web/ui/code-block.tsx';
import type { Call, OpenApi } from './document.ts';
import { told, typeOf } from './schema.ts';
import { Words } from './words.tsx';

const PLACES = { query: 'in the address', path: 'in the path', header: 'as a header', cookie: 'as a cookie' } as const;

/** What a call takes, with types and limits. */
export function Parameters({ document, call }: { document: OpenApi; call: Call }) {
  const { parameters } = call;
  if (parameters.length === 0) return null;
  return (
    <div>
      <h4 className="font-semibold">Parameters</h4>
      <table className="mt-1 w-full text-sm max-sm:block">
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line">
            {['Name', 'Type', 'Meaning'].map((head) => (
              <th key={head} scope="col" className="label py-2 pr-3 text-left">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {parameters.map(({ name, in: place, required, description, schema = {} }) => (
            <tr key={place + name} className="border-b border-line max-sm:block">
              <th scope="row" className="py-2 pr-3 text-left font-normal max-sm:block">
                <code className={CODE}>{name}</code>
                <span className="label block">
                  {PLACES[place]}
                  {required && ', needed'}
                </span>
              </th>
              <td className="py-2 pr-3 text-xs break-words text-ink-3 max-sm:block">{typeOf(document, schema)}</td>
              <td className="py-2 text-ink-2 max-sm:block">
                <Words>{told(description ?? schema.description, schema) || '–'}</Words>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
