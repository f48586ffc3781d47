/** The link the chart library's licence requires. Its own logo uses innerHTML, which the content security policy refuses. */
export function markChart(element: HTMLElement): void {
  const mark = document.createElement('a');
  mark.href = 'https://www.tradingview.com/';
  mark.textContent = 'TradingView';
  mark.target = '_blank';
  mark.rel = 'noopener';
  mark.className = 'text-2xs text-ink-3';
  // Above the canvases and the time axis.
  mark.style.cssText = 'position:absolute;bottom:32px;left:8px;z-index:3';
  element.style.position = 'relative';
  element.append(mark);
}
