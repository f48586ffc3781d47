import type { SourceDescriptor } from '#kernel/source-set.ts';

import { bea, beaTable } from './providers/bea.ts';
import { bls, blsSeries } from './providers/bls.ts';
import { clevelandFed, nowcast } from './providers/cleveland-fed.ts';
import { consensus, consensusCalendar } from './providers/consensus.ts';
import { fredApi, fredCsv, fredVintages } from './providers/fred.ts';
import type { ExpectationSource, IndexSource } from './types.ts';

/** Sources that only inflation asks; FRED's tables are declared by the metrics. */
export const INFLATION_SOURCES: SourceDescriptor[] = [fredApi, bls, bea, clevelandFed, consensusCalendar];

/** Best first: each series comes from the first that gives it. */
export const INDEX_SOURCES: readonly IndexSource[] = [fredVintages, fredCsv];
/** Those who print the figures themselves: asked while the others do not have a release yet. */
export const AGENCY_SOURCES: readonly IndexSource[] = [blsSeries, beaTable];
export const EXPECTATION_SOURCES: readonly ExpectationSource[] = [nowcast, consensus];
