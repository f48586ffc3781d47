/** A start that cannot go on; the message is one sentence for the operator and is printed without a stack. */
export class AppStartError extends Error {
  override name = 'AppStartError';
}

export class DataDirTaken extends AppStartError {}
