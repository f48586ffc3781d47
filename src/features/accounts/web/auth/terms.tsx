type Props = { agreed: boolean; missed: boolean; onChange: (agreed: boolean) => void };

export const TERMS_MISSED = 'Please agree to the Terms & Conditions and Privacy Policy to continue.';

/** The texts open in a new tab, so that typed values are preserved. */
export function Terms({ agreed, missed, onChange }: Props) {
  return (
    <label className="flex cursor-pointer items-start gap-2.5 py-1 text-sm">
      <input
        type="checkbox"
        name="terms"
        checked={agreed}
        aria-invalid={missed || undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-(--accent)"
      />
      <span>
        I agree to the <Text href="/app/terms">Terms & Conditions</Text> and{' '}
        <Text href="/app/privacy">Privacy Policy</Text>
      </span>
    </label>
  );
}

function Text({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener" className="font-medium text-accent underline underline-offset-2">
      {children}
    </a>
  );
}
