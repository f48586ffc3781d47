import { CODE } from '#web/ui/code-block.tsx';

/** Text of the document, with what stands between backticks as code. */
export function Words({ children }: { children: string }) {
  return children.split('`').map((piece, i) =>
    i % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text keep their places
      <code key={i} className={CODE}>
        {piece}
      </code>
    ) : (
      piece
    ),
  );
}
