import { ErrorLogs } from '#features/operations/web/error-logs/error-logs.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { useTitle } from '#ui/use-title.ts';

import { Forbidden } from './forbidden.tsx';

export function ErrorsPage() {
  return <ErrorLogs signedOut={<SignedOut />} forbidden={<Forbidden />} />;
}

function SignedOut() {
  useTitle('Error Logs');
  return (
    <div className="grid min-h-[60vh] place-items-center px-4 text-center">
      <div>
        <h1 className="text-xl font-semibold tracking-[-0.02em]">Error Logs</h1>
        <p className="mt-1.5 text-ink-2">Authentication required. Please log in.</p>
        <ButtonLink to="/app?auth=login" className="mt-5 h-10 px-4">
          Go to Login
        </ButtonLink>
      </div>
    </div>
  );
}
