/** Looks of the cells of a table of figures, whose first column are row headings. */
export const HEAD = 'label pb-1 pl-3 text-right font-medium whitespace-nowrap';
export const BODY =
  '[&_td]:h-8 [&_td]:border-t [&_td]:border-line [&_td]:text-right [&_th]:border-t [&_th]:border-line';
