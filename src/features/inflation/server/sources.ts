import type { SourceDescriptor } from '#kernel/source-set.ts';

import { bea, beaTable } from './providers/bea.ts';
import { bls, blsSeries } from './providers/bls.ts';
import { clevelandFed, nowcast } from './providers/cleveland-fed.ts';
import { consensus, consensusCalendar } from './providers/consensus.ts';
import { fredApi, fredCsv, fredVintages } from './providers/fred.ts';
import type { ExpectationSource, IndexSource } from './types.ts';

/** Sources used only by inflation; FRED's tables are declared by the metrics. */
export const INFLATION_SOURCES: SourceDescriptor[] = [fredApi, bls, bea, clevelandFed, consensusCalendar];

/** In order of preference: each series is read from the first that has it. */
export const INDEX_SOURCES: readonly IndexSource[] = [fredVintages, fredCsv];
/** The publishing agencies: used while the others do not have a release yet. */
export const AGENCY_SOURCES: readonly IndexSource[] = [blsSeries, beaTable];
export const EXPECTATION_SOURCES: readonly ExpectationSource[] = [nowcast, consensus];
