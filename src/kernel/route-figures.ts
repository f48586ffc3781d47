import { Counter, Gauge, Registry } from 'prom-client';

/** Upper bounds of the latency buckets, in seconds. */
export const LATENCY_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Responses of one route. A request only increments; names and labels are assembled at the scrape. */
export class RouteMetrics {
  readonly method: string;
  readonly route: string;
  /** By the first digit of the status. */
  readonly byStatus = new Float64Array(10);
  /** The last bucket counts responses slower than every bound. */
  readonly byLatency = new Float64Array(LATENCY_BOUNDS.length + 1);
  seconds = 0;

  constructor(method: string, route: string) {
    this.method = method;
    this.route = route;
  }

  add(status: number, seconds: number): void {
    const digit = Math.trunc(status / 100);
    this.byStatus[digit] = (this.byStatus[digit] ?? 0) + 1;
    let at = 0;
    while (at < LATENCY_BOUNDS.length && seconds > (LATENCY_BOUNDS[at] as number)) at += 1;
    this.byLatency[at] = (this.byLatency[at] ?? 0) + 1;
    this.seconds += seconds;
  }
}

/** Counters of this process since its start, exposed by `monitoring`. */
export const processMetrics = new Registry();

/** Labels have few values, each from our own code: never an id, an address or input of a caller. */
export const createCounter = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
  new Counter<L>({ name, help, labelNames, registers: [processMetrics] });

export const createGauge = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
  new Gauge<L>({ name, help, labelNames, registers: [processMetrics] });
