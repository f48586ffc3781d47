import type { Generated } from 'kysely';

import type { ComponentId, Impact, Stage } from '#features/site/contract/status.ts';

interface StatusComponentsTable {
  component: ComponentId;
  began_at: string;
  measured_from: string;
  measured_to: string;
  lapse_from: string | null;
}

interface StatusLapsesTable {
  component: ComponentId;
  minute: string;
  state: 'degraded' | 'down';
}

interface StatusDaysTable {
  component: ComponentId;
  day: string;
  measured: number;
  degraded: number;
  down: number;
}

interface IncidentsTable {
  id: Generated<number>;
  kind: 'measured' | 'written';
  title: string;
  impact: Impact;
  components: ComponentId[];
  starts_at: string;
  ends_at: string | null;
  created_at: string;
  created_by: number | null;
  retracted_at: string | null;
  retracted_by: number | null;
}

interface IncidentUpdatesTable {
  id: Generated<number>;
  incident_id: number;
  stage: Stage;
  message: string;
  at: string;
  author_id: number | null;
}

declare module '#kernel/db.ts' {
  interface Tables {
    status_components: StatusComponentsTable;
    status_lapses: StatusLapsesTable;
    status_days: StatusDaysTable;
    incidents: IncidentsTable;
    incident_updates: IncidentUpdatesTable;
  }
}
