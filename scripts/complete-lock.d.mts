type Lock = { packages: Record<string, { optionalDependencies?: Record<string, string> }> };

export function missingOptional(lock: Lock): [owner: string, name: string, range: string][];
export function completeLock(lock: Lock): number;
