/** True for an address on this machine: the sandbox needs no politeness. */
export const isLoopback = (address: string): boolean => /^(https?|wss?):\/\/(127\.|localhost|\[::1\])/.test(address);
