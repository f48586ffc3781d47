import { CopyButton } from '#ui/copy-button.tsx';
import { PRIMARY } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';

type Props = {
  apiKey: string;
  /** What happens to the previous key. */
  note?: string;
  onClose: () => void;
};

/** Shown only once. A key press beside the button must not dismiss it. */
export function KeyShown({ apiKey, note, onClose }: Props) {
  return (
    <Modal title="Your API key" locked onClose={onClose}>
      <div className="grid gap-3 text-sm">
        <p className="text-ink-2">
          Copy it now and store it with your application’s secrets. We keep only a hash of the key, so it cannot be
          shown again.
        </p>
        <p className="rounded-ctl bg-raised px-3 py-3 font-mono text-sm break-all">{apiKey}</p>
        <div>
          <CopyButton text={apiKey} what="API key" />
        </div>
        {note && <p className="text-ink-2">{note}</p>}
        <button type="button" onClick={onClose} className={PRIMARY}>
          Close
        </button>
      </div>
    </Modal>
  );
}
