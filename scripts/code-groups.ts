import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../src');

type ModuleInfo = { importedIds: readonly string[]; importers: readonly string[] };
type ModuleGraph = { getModuleInfo: (id: string) => ModuleInfo | null };

/** Modules in the index of a package that the first view loads; only forms and long lists, which load later, use them. */
const LAZY_MODULES = /\/(useMutation|mutationObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/;

/** Parts of the dashboard that every first view loads after rendering. */
const VIEW_ENTRIES = [
  'app/web/live.ts',
  'app/web/prefetch.ts',
  'app/web/pages/alerts-offer.tsx',
  'app/web/pages/dashboard-dialogs.tsx',
  'app/web/shell/keys.ts',
  'app/web/shell/side-pages.tsx',
  'ui/trusted.ts',
  'features/analysis/web/analysis/analysis-card.tsx',
  'features/payments/web/billing/plan-price.tsx',
  'features/market/web/market/price-origins.tsx',
  'features/market/web/market/pulse-readings.tsx',
].map((file) => join(SRC, file));

/**
 * Elements and icons with more importers than this share one file, which nearly every page needs, instead of 25 small
 * ones.
 */
const MIN_SHARED_VIEWS = 4;
const isElement = (id: string) => id.startsWith(join(SRC, 'ui/')) || id.includes('/lucide-react/');

/** A module with more importers than this outside the view leaves the view for the common file. */
const MIN_IMPORTERS = 2;

function reachableModules(from: readonly string[], graph: ModuleGraph, excluded: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id) || excluded.has(id) || LAZY_MODULES.test(id)) return;
    found.add(id);
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) visit(next);
  };
  for (const id of from) visit(id);
  return found;
}

/**
 * Everything the app needs initially goes into one file, and what its first view loads into another: every additional
 * small file costs a round trip and a task on the main thread. Modules that other pages need too are separate from the
 * view.
 */
export function codeGroups(entry: string) {
  let first: Set<string> | undefined;
  let view = new Set<string>();
  let common = new Set<string>();
  const analyseGraph = (graph: ModuleGraph) => {
    first = reachableModules([join(SRC, '..', entry)], graph, new Set());
    const reachable = reachableModules(VIEW_ENTRIES, graph, first);
    view = new Set(reachable);
    const isShared = (id: string) =>
      (graph.getModuleInfo(id)?.importers ?? []).filter((by) => !view.has(by)).length > MIN_IMPORTERS;
    for (let shared = [...view].filter(isShared); shared.length > 0; shared = [...view].filter(isShared))
      for (const id of shared) view.delete(id);
    common = reachable.difference(view);
  };
  // A group includes the imports of its modules, unless a group of higher priority has them.
  const group = (name: string, priority: number, matches: (id: string) => boolean) => ({
    name: (id: string, graph: ModuleGraph) => {
      if (!first) analyseGraph(graph);
      return matches(id) ? name : null;
    },
    priority,
  });
  return [
    group('first', 3, (id) => first?.has(id) ?? false),
    group('common', 2, (id) => common.has(id)),
    group('view', 1, (id) => view.has(id)),
    {
      name: (id: string, graph: ModuleGraph) =>
        isElement(id) && (graph.getModuleInfo(id)?.importers ?? []).length > MIN_SHARED_VIEWS ? 'ui' : null,
      priority: 0,
    },
  ];
}
