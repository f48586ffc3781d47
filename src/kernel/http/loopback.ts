/** True for an address on this machine, such as the sandbox's. */
export const isLoopback = (address: string): boolean => /^(https?|wss?):\/\/(127\.|localhost|\[::1\])/.test(address);
