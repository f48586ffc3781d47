import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { CryptoPrice } from '#features/market/contract/market.ts';
import { WatchedCoins } from '#features/market/web/market/watched-coins.tsx';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';
import { Tag } from '#ui/tag.tsx';
import { GROUPS, type Offer, pagesFor } from './offered-pages.ts';
import { GLYPH, INACTIVE_ITEM, ITEM, NavItem } from './sidebar.tsx';

/** Directly below the main pages, as part of them. */
const MORE = GROUPS[0];

export type SidePagesProps = { account: Account; rows: readonly CryptoPrice[]; onOpen: () => void };

/** The user-specific part of the sidebar: rendered once the user is known. */
export function SidePages({ account, rows, onOpen }: SidePagesProps) {
  if (account.state === 'unknown' && !account.failed) return null;
  const pages = pagesFor(account);
  return (
    <>
      {GROUPS.map((group) => (
        <Group key={group} name={group} pages={pages.filter((page) => page.group === group)} onOpen={onOpen} />
      ))}
      <WatchedCoins rows={rows} onOpen={onOpen} />
    </>
  );
}

function Group({ name, pages, onOpen }: { name: string; pages: readonly Offer[]; onOpen: () => void }) {
  if (pages.length === 0) return null;
  return (
    <div className={name === MORE ? undefined : 'mt-4'}>
      {name !== MORE && (
        <p className="label px-2.5 pb-1" aria-hidden="true">
          {name}
        </p>
      )}
      <ul aria-label={name === MORE ? 'Your pages' : name}>
        {pages.map((page) =>
          page.lock ? (
            <Locked key={page.name} page={page} lock={page.lock} onOpen={onOpen} />
          ) : (
            <NavItem key={page.name} page={page} onOpen={onOpen} />
          ),
        )}
      </ul>
    </div>
  );
}

function Locked({ page: { name, Icon }, lock, onOpen }: { page: Offer; lock: string; onOpen: () => void }) {
  return (
    <li>
      <Link to="/app/subscription" onClick={onOpen} className={cx(ITEM, INACTIVE_ITEM, 'pr-1.5!')}>
        <Icon className={GLYPH} strokeWidth={1.75} aria-hidden="true" />
        <span className="tracking-[-0.01em] whitespace-nowrap">{name}</span>
        <Tag className="ml-auto px-1!">{lock}</Tag>
      </Link>
    </li>
  );
}
