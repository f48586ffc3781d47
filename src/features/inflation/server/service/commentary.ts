import type { Indicator, LatestInflation } from '#features/inflation/contract.ts';

type Rates = { mom: number | null; yoy: number | null; coreYoy: number | null };

const NOTHING = 'Inflation data analysis not available.';

function cpi({ yoy, coreYoy }: Rates): string[] {
  const said: string[] = [];
  if (yoy !== null && yoy > 3)
    said.push(`Consumer prices are ${yoy} % above last year's: inflation pressure is persistent.`);
  else if (yoy !== null && yoy < 2) said.push(`Consumer prices are ${yoy} % above last year's: inflation is cooling.`);
  else if (yoy !== null) said.push(`Consumer prices are ${yoy} % above last year's: inflation is within its range.`);
  if (yoy !== null && coreYoy !== null && coreYoy > yoy)
    said.push(`The core rate of ${coreYoy} % lies above the headline: the pressure is not from food and energy alone.`);
  return said;
}

function pce({ yoy }: Rates): string[] {
  if (yoy === null) return [];
  if (yoy > 2.5)
    return [`Prices of consumption are ${yoy} % above last year's: strong, above what the Federal Reserve aims at.`];
  if (yoy < 1.5)
    return [`Prices of consumption are ${yoy} % above last year's: weak, below what the Federal Reserve aims at.`];
  return [`Prices of consumption are ${yoy} % above last year's: close to what the Federal Reserve aims at.`];
}

function ppi({ mom, yoy }: Rates): string[] {
  const said: string[] = [];
  if (mom !== null && mom > 0.5) said.push(`Producer prices rose by ${mom} % in a month: costs are rising.`);
  if (mom !== null && mom < -0.2)
    said.push(`Producer prices fell by ${Math.abs(mom)} % in a month: costs are falling.`);
  if (yoy !== null && yoy > 3) said.push(`Producer prices are ${yoy} % above last year's: the pressure is sustained.`);
  if (said.length === 0 && mom !== null)
    said.push(`Producer prices changed by ${mom} % in a month: no unusual pressure.`);
  return said;
}

const SENTENCES: Readonly<Record<Indicator, (rates: Rates) => string[]>> = { cpi, pce, ppi };

/** Sentences by fixed thresholds. */
export function sentencesOf(type: Indicator, rates: Rates): string[] {
  const said = SENTENCES[type](rates);
  return said.length > 0 ? said : [NOTHING];
}

type Known = Pick<LatestInflation, 'cpi' | 'pce' | 'ppi'>;

export function commentaryOf({ cpi, pce, ppi }: Known): Omit<LatestInflation['commentary'], 'ai'> {
  const of = (type: Indicator, rates: Rates | null) => (rates ? sentencesOf(type, rates) : []);
  return {
    cpi: of('cpi', cpi && { mom: cpi.cpiMoM, yoy: cpi.cpiYoY, coreYoy: cpi.coreCPIYoY }),
    pce: of('pce', pce && { mom: pce.pceMoM, yoy: pce.pceYoY, coreYoy: pce.corePCEYoY }),
    ppi: of('ppi', ppi && { mom: ppi.ppiMoM, yoy: ppi.ppiYoY, coreYoy: ppi.corePPIYoY }),
  };
}
