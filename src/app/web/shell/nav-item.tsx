import { cx } from '#ui/cx.ts';
import { NavLink } from '#ui/link.tsx';

import type { PageLink } from './pages.ts';

export const ITEM = 'flex h-10 items-center gap-2 rounded-ctl px-2.5 text-base transition-colors lg:h-8.5';
export const QUIET = 'text-ink-2 hover:bg-raised/50 hover:text-ink';
export const GLYPH = 'size-4 shrink-0 opacity-80';

export function NavItem({ page: { to, name, Icon }, onOpen }: { page: PageLink; onOpen: () => void }) {
  return (
    <li>
      <NavLink
        to={to}
        end={to === '/app'}
        onClick={onOpen}
        className={({ isActive }) => cx(ITEM, isActive ? 'bg-raised font-medium text-ink' : QUIET)}
      >
        <Icon className={GLYPH} strokeWidth={1.75} aria-hidden="true" />
        {name}
      </NavLink>
    </li>
  );
}
