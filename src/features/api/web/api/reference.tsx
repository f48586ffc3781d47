import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { useAddressText } from '#ui/address-filter.ts';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { SearchBox } from '#ui/search-box.tsx';
import { Select } from '#ui/select.tsx';
import { Empty } from '#ui/states.tsx';

import { CallCard } from './call-card.tsx';
import { byTag, type Call, callsIn, matching, type OpenApi } from './document.ts';
import { documentQuery } from './queries.ts';

const CARD = { id: 'calls', title: 'Endpoints', className: 'min-h-dvh' };

/** All endpoints of the public API, from its OpenAPI document. */
export function Reference() {
  const query = useQuery(documentQuery);
  return (
    <QueryView query={query} card={CARD} failed="Failed to load the API reference">
      {(document) => <Loaded document={document} />}
    </QueryView>
  );
}

function Loaded({ document }: { document: OpenApi }) {
  const [calls] = useState(() => callsIn(document));
  const [text, setText] = useAddressText('search');
  const [apiKey, setKey] = useState('');
  const [toggled, setToggled] = useState<Readonly<Record<string, boolean>>>({});
  const { hash } = useLocation();
  const named = calls.find(({ id }) => hash === `#${id}`)?.id ?? null;
  const found = matching(calls, text);
  const groups = byTag(document, found);
  const isOpen = (id: string) => toggled[id] ?? id === (named ?? calls[0]?.id);
  const open = (id: string, is = true) => setToggled((old) => ({ ...old, [id]: is }));
  useEffect(() => {
    if (named) window.document.getElementById(named)?.scrollIntoView();
  }, [named]);
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:flex">
      <div
        className="grid w-full shrink-0 grid-cols-1 gap-3 overflow-y-auto p-0.5 lg:sticky lg:w-auto"
        style={{ top: '4.5rem', maxHeight: 'calc(100dvh - 5.5rem)' }}
      >
        <SearchBox label="Search endpoints" value={text} onSearch={setText} />
        <CallsList groups={groups} named={named} onGo={open} />
        <CallsSelect groups={groups} named={named} onGo={open} />
      </div>
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-3">
        {groups.length === 0 && (
          <div className="card flex min-h-36">
            <Empty title="No matching endpoints" note="Search by path, parameter or description." />
          </div>
        )}
        {groups.map(([tag, inside]) => (
          <section key={tag} aria-labelledby={`tag-${tag}`} className="grid min-w-0 grid-cols-1 gap-3">
            <h2 id={`tag-${tag}`} className="mt-3 text-lg font-semibold tracking-[-0.01em]">
              {tag}
            </h2>
            {document.tags?.find(({ name }) => name === tag)?.description && (
              <p className="max-w-[72ch] text-sm text-ink-2">
                {document.tags.find(({ name }) => name === tag)?.description}
              </p>
            )}
            {inside.map((call) => (
              <CallCard
                key={call.id}
                document={document}
                call={call}
                isOpen={isOpen(call.id)}
                onToggle={() => open(call.id, !isOpen(call.id))}
                apiKey={apiKey}
                onKey={setKey}
              />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

type ListProps = {
  groups: readonly (readonly [tag: string, calls: readonly Call[]])[];
  named: string | null;
  onGo: (id: string) => void;
};

const shortPath = (path: string) => path.replace(/^\/api\/v1/, '');

function CallsList({ groups, named, onGo }: ListProps) {
  const { search } = useLocation();
  return (
    <nav aria-label="Endpoints" className="hidden max-w-72 lg:block">
      {groups.map(([tag, calls]) => (
        <div key={tag} className="mb-3">
          <p className="label pb-1">{tag}</p>
          <ul className="text-sm">
            {calls.map(({ id, method, path }) => (
              <li key={id}>
                <Link
                  to={`${search}#${id}`}
                  onClick={() => onGo(id)}
                  aria-current={id === named ? 'location' : undefined}
                  className={cx(
                    'flex min-h-8 items-center gap-2 rounded-ctl px-2 hover:bg-raised',
                    id === named ? 'bg-raised font-medium text-ink' : 'text-ink-2',
                  )}
                >
                  {method !== 'GET' && <span className="label">{method}</span>}
                  <span className="min-w-0 truncate font-mono text-xs">{shortPath(path)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function CallsSelect({ groups, named, onGo }: ListProps) {
  const navigate = useNavigate();
  const { search } = useLocation();
  return (
    <label className="lg:hidden">
      <span className="sr-only">Go to endpoint</span>
      <Select
        size="form"
        value={named ?? ''}
        onText={(value) => {
          onGo(value);
          void navigate(`${search}#${value}`);
        }}
      >
        <option value="" disabled>
          Go to endpoint
        </option>
        {groups.map(([tag, calls]) => (
          <optgroup key={tag} label={tag}>
            {calls.map(({ id, method, path }) => (
              <option key={id} value={id}>
                {method} {shortPath(path)}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
    </label>
  );
}
