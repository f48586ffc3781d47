import { createElement, type SVGProps } from 'react';

export type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>];

/**
 * The build replaces lucide's factory with this: lines in a box of 24 by 24, hidden from screen readers unless labeled.
 */
export const icon = (shapes: readonly Shape[]) =>
  function Icon(props: SVGProps<SVGSVGElement>) {
    const frame = {
      width: 24,
      height: 24,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 2,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      'aria-hidden': !props['aria-label'],
    } as const;
    return createElement(
      'svg',
      { ...frame, ...props },
      ...shapes.map(([tag, attributes]) => createElement(tag, attributes)),
    );
  };
