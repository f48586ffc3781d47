/** What a person sends to see whether notifications arrive. */
export const TEST = {
  title: 'Test Notification',
  body: 'Push notifications work in this browser.',
  icon: '/favicon.ico',
};
