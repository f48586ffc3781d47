import type { Generated } from 'kysely';

interface InflationVintagesTable {
  id: Generated<number>;
  series: string;
  period: string;
  value: number | null;
  published_at: string;
  first_print: boolean;
  source: string;
  fetched_at: string;
  method: string;
}

interface InflationExpectationsTable {
  type: string;
  measure: string;
  period: string;
  kind: string;
  value: number;
  as_of: string;
  source: string;
  fetched_at: string;
  method: string;
}

interface InflationForecastsTable {
  id: Generated<number>;
  type: string;
  period: string;
  forecaster: string;
  name: string;
  model: string | null;
  prediction: number;
  core: number | null;
  confidence: number | null;
  reasoning: string | null;
  issued_at: string;
  release_at: string;
  input_hash: string;
  method: string;
}

interface InflationCommentariesTable {
  subject: string;
  text: string;
  provider: string;
  model: string;
  at: string;
}

declare module '#server/platform/db.ts' {
  interface Tables {
    inflation_vintages: InflationVintagesTable;
    inflation_expectations: InflationExpectationsTable;
    inflation_forecasts: InflationForecastsTable;
    inflation_commentaries: InflationCommentariesTable;
  }
}
