import { Card } from '#ui/card.tsx';
import { CODE, CodeBlock } from '#ui/code-block.tsx';
import { TEXT_LINK } from '#ui/form.tsx';
import { Link } from '#ui/link.tsx';

const CALLS = [
  ['/api/v1/market-data', 'Market totals, metrics, narratives and Layer 1 blockchains'],
  ['/api/v1/crypto-prices', 'Price, change, market cap and volume of all coins'],
  ['/api/v1/analysis', 'AI analyses with their consensus'],
] as const;

/** A first call, to copy. */
export function QuickStart() {
  const sample = `curl "${location.origin}/api/v1/crypto-prices" \\\n  -H "X-API-Key: YOUR_KEY"`;
  return <CodeBlock head={<span className="label">curl</span>} label="curl sample" text={sample} what="Sample" />;
}

/** First endpoints of the public API, and how to send a key. */
export function ApiNotes({ isEmpty }: { isEmpty: boolean }) {
  return (
    <Card id="api-notes" title="API Quick Start">
      <div className="grid gap-3 px-4 pt-1 pb-4 text-sm">
        <ul className="grid gap-2">
          {CALLS.map(([path, gives]) => (
            <li key={path}>
              <code className={`${CODE} break-all`}>GET {path}</code>
              <span className="mt-1 block text-ink-2">{gives}</span>
            </li>
          ))}
        </ul>
        <p className="text-ink-2">
          Send the key with every request, as <code className={CODE}>X-API-Key: YOUR_KEY</code> or{' '}
          <code className={CODE}>Authorization: Bearer YOUR_KEY</code>. Never expose it on a public page.
        </p>
        {!isEmpty && <QuickStart />}
        <p>
          <Link to="/app/api" className={`${TEXT_LINK} inline-flex min-h-9 items-center`}>
            API reference: try every endpoint and copy code samples
          </Link>
        </p>
      </div>
    </Card>
  );
}
