/** Those of the page as it looks now. The chart library reads rgb only; a canvas pixel turns any CSS colour into it. */
export function coloursNow() {
  const context = document.createElement('canvas').getContext('2d', { colorSpace: 'srgb', willReadFrequently: true });
  if (!context) throw new Error('This browser cannot draw');
  const tokens = getComputedStyle(document.documentElement);
  const pixel = (token: string, alpha = 1): string => {
    context.fillStyle = tokens.getPropertyValue(token) || '#888888';
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return `rgba(${r},${g},${b},${alpha})`;
  };
  return {
    ink: pixel('--ink-3'),
    label: pixel('--ink-2'),
    line: pixel('--line'),
    surface: pixel('--surface'),
    up: pixel('--up'),
    upSoft: pixel('--up', 0.3),
    down: pixel('--down'),
    downSoft: pixel('--down', 0.3),
    accent: pixel('--accent'),
    accentSoft: pixel('--accent', 0.25),
    warn: pixel('--warn'),
  };
}
