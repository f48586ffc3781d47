import type { ComponentProps, MouseEvent } from 'react';
import { useHref, useLocation, useNavigate } from 'react-router';

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** An address of this app. */
  to: string;
  /** Replaces the current history entry; a link to the current page always does. */
  replace?: boolean;
};

/** New tabs, new windows and menus are left to the browser. */
const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.altKey && !event.ctrlKey && !event.shiftKey;

/** Navigates without reloading the page. The router's own link adds prefetching and loaders. */
export function Link({ to, replace, onClick, children, ...rest }: LinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || rest.target || !isPlain(event)) return;
        event.preventDefault();
        void navigate(to, { replace: replace ?? href === pathname + search + hash });
      }}
    >
      {children}
    </a>
  );
}

type NavLinkProps = Omit<LinkProps, 'className'> & {
  className: (state: { isActive: boolean }) => string;
  /** Only the exact page counts, not the pages below it. */
  end?: boolean;
};

/** A link that marks the current page. */
export function NavLink({ className, end = false, ...rest }: NavLinkProps) {
  const { pathname } = useLocation();
  const isActive = pathname === rest.to || (!end && pathname.startsWith(`${rest.to}/`));
  return <Link {...rest} className={className({ isActive })} aria-current={isActive ? 'page' : undefined} />;
}
