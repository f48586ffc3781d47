import { alertPages, countAlerts } from '../store/alerts.ts';
import { BIRTH, column, type Dataset } from './dataset.ts';

export const ALERTS: Dataset = {
  name: 'alerts',
  title: 'Alerts',
  grain: 'one alert',
  observed: 'observed_at',
  columns: [
    column('id', 'Alert', 'number'),
    column('raised_at', 'Raised', 'time', 'UTC'),
    column('type', 'Type'),
    column('severity', 'Severity'),
    column('message', 'Message'),
    column('metric', 'Metric'),
    column('value', 'Value', 'number'),
    column('own_rule', 'Rule of your own', 'boolean'),
    column('rule_id', 'Rule', 'number'),
    column('event_id', 'Event', 'number'),
    column('event_date', 'Date of the event', 'time', 'UTC'),
    column('acknowledged', 'Acknowledged', 'boolean'),
    column('observed_at', 'Observed', 'time', 'UTC'),
    column('evaluated_at', 'Evaluated', 'time', 'UTC'),
    ...BIRTH,
  ],
  count: countAlerts,
  pages: alertPages,
};
