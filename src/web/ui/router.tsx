import {
  Children,
  createContext,
  type ReactElement,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
} from 'react';

/** Where one is. `search` and `hash` bring their sign along, or are empty. Every step makes a new one. */
export type Place = {
  pathname: string;
  search: string;
  hash: string;
  /** How one came here: by the browser itself, by a link, or in the place of another page. */
  way: 'POP' | 'PUSH' | 'REPLACE';
};

/** Goes to an address of this app, which begins with a slash. */
export type Go = (href: string, replace: boolean) => void;

export type Step = { replace?: boolean; preventScrollReset?: boolean };

const Here = createContext<{ place: Place; go: Go } | null>(null);

export const placeOf = (href: string, way: Place['way'] = 'POP'): Place => {
  const { pathname, search, hash } = new URL(href, 'http://localhost');
  return { pathname, search, hash, way };
};

type RouterProps = { place: Place; go: Go; children: ReactNode };

/** Tells what is in it where one is. The browser's, the server's and that of tests differ in who keeps the place. */
export function Router({ place, go, children }: RouterProps) {
  return <Here value={useMemo(() => ({ place, go }), [place, go])}>{children}</Here>;
}

function useHere() {
  const here = use(Here);
  if (!here) throw new Error('This is only known within a Router.');
  return here;
}

export const useLocation = (): Place => useHere().place;

/** An address as it is written in a link: "?x=1" and "#y" stay on the page. */
export const hrefFrom = (pathname: string, to: string): string =>
  to.startsWith('/') ? to : pathname + (to === '?' ? '' : to);

export function useNavigate(): (to: string, step?: Step) => void {
  const { place, go } = useHere();
  const { pathname } = place;
  return useCallback((to, { replace = false } = {}) => go(hrefFrom(pathname, to), replace), [pathname, go]);
}

export function Navigate({ to, replace = false }: { to: string; replace?: boolean }): null {
  const navigate = useNavigate();
  useEffect(() => navigate(to, { replace }), [navigate, to, replace]);
  return null;
}

/** The page that is asked for: neither capitals nor a slash at the end make another one of it. */
export const usePath = (): string => useLocation().pathname.toLowerCase().replace(/\/+$/, '');

type RouteProps = {
  /** Without a slash before it; `*` is every address that no other one names. */
  path: string;
  element: ReactNode;
};

export const Route: (route: RouteProps) => ReactNode = () => {
  throw new Error('A Route stands in Routes.');
};

/** Shows the one page whose address it is, below `under`. */
export function Routes({ under = '', children }: { under?: string; children: ReactNode }): ReactNode {
  const path = usePath().slice(under.length + 1);
  const routes = Children.toArray(children) as ReactElement<RouteProps>[];
  const named = (name: string) => routes.find(({ props }) => props.path === name);
  return (named(path) ?? named('*'))?.props.element;
}
