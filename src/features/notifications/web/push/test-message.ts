/** The test notification. */
export const TEST = {
  title: 'Test Notification',
  body: 'Push notifications work in this browser.',
  icon: '/favicon.ico',
};
