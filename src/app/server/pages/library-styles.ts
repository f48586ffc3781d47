/** Style elements that libraries of the app add to the page at run time, by the hash of their text. A new version needs a new hash. */
export const LIBRARY_STYLES: readonly string[] = [
  // sonner: the toasts, whose element is put in before its text
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
];
