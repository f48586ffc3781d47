/** Style elements that libraries of the app add to the page at run time; the content policy names each by its hash. */
export const INJECTED_STYLES: readonly string[] = [];
