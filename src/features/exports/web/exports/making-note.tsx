import type { ExportItem } from '#features/exports/contract/exports.ts';

/** Below the button: why it is busy, or the server's error. */
export function MakingNote({ inWork, problem }: { inWork: ExportItem | null; problem: string | null }) {
  if (inWork)
    return (
      <output className="label block">
        {inWork.type} is being created in the background. You can leave this page; it will stay in the list.
      </output>
    );
  if (!problem) return null;
  return (
    <p role="alert" className="text-sm font-medium text-down">
      {problem}
    </p>
  );
}
