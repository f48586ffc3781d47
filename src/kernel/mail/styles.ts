/** Our light palette in the form that mail clients read. */
export const PALETTE = {
  page: '#f4f6f8',
  card: '#ffffff',
  line: '#dfe3e8',
  ink: '#131a24',
  soft: '#434c5a',
  faint: '#5f6875',
  link: '#1d5fd1',
  button: '#131a24',
  buttonInk: '#ffffff',
} as const;

/** For clients with dark mode; those that invert colors themselves find every color named. */
export const MAIL_STYLE = [
  '@media (prefers-color-scheme:dark){',
  '.m-page{background:#0a0d12!important}',
  '.m-card{background:#12161d!important;border-color:#262d38!important}',
  '.m-ink{color:#f1f4f7!important}',
  '.m-soft{color:#b9c1cc!important}',
  '.m-faint{color:#8f99a7!important}',
  '.m-line{border-color:#262d38!important}',
  '.m-link{color:#6bb1ff!important}',
  '.m-button{background:#f1f4f7!important;color:#12161d!important}',
  '}',
  '@media (max-width:480px){.m-card{padding:24px 20px 8px!important}}',
].join('');

export const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
