/** The parts of fontkit used to read the glyphs of the brand. */
declare module 'fontkit' {
  export type OutlinePoint = { x: number; y: number; onCurve: boolean; endContour: boolean; copy?: () => OutlinePoint };
  export type Font = {
    unitsPerEm: number;
    characterSet: number[];
    layout: (text: string, features: Record<string, boolean>) => { glyphs: { id: number; advanceWidth: number }[] };
    getVariation: (settings: Record<string, number>) => object;
    _transformGlyfTable: () => void;
    _transformedGlyphs:
      | { points?: OutlinePoint[]; components?: { glyphID: number; dx: number; dy: number }[] }[]
      | undefined;
    directory: object;
    HVAR: object;
  };
  export function create(file: Uint8Array): Font;
}
