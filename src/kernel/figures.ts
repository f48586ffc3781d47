import { Counter, Gauge, Registry } from 'prom-client';

/** What is counted where it happens, of this process since its start. `monitoring` shows it. */
export const processFigures = new Registry();

/** Labels take few values, each from our own code: never an id, an address or anything a caller sends. */
export const counterOf = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
  new Counter<L>({ name, help, labelNames, registers: [processFigures] });

export const gaugeOf = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
  new Gauge<L>({ name, help, labelNames, registers: [processFigures] });
