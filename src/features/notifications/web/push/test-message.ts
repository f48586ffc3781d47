/** What a person sends to see whether notifications arrive. */
export const TEST = {
  title: 'Test Notification',
  body: 'Push notifications reach this browser.',
  icon: '/favicon.ico',
};
