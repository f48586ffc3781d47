/** What the browser does with popovers and this DOM does not: opening, closing and telling of it. */
export function installPopovers(): void {
  const toggle = (popover: HTMLElement, newState: 'open' | 'closed') => {
    if ((popover.dataset['popover'] === 'open') === (newState === 'open')) return;
    popover.dataset['popover'] = newState;
    popover.dispatchEvent(Object.assign(new Event('toggle'), { newState }));
  };
  Object.assign(HTMLElement.prototype, {
    showPopover(this: HTMLElement) {
      toggle(this, 'open');
    },
    togglePopover(this: HTMLElement, open: boolean) {
      toggle(this, open ? 'open' : 'closed');
    },
    hidePopover(this: HTMLElement) {
      toggle(this, 'closed');
    },
  });
}

/** Presses what opens or closes a popover, as the browser answers it. */
export function pressOpener(opener: HTMLElement): HTMLElement {
  const popover = document.getElementById(opener.getAttribute('popovertarget') ?? '');
  if (!popover) throw new Error('It opens nothing');
  opener.click();
  if (opener.getAttribute('popovertargetaction') === 'hide') popover.hidePopover();
  else popover.showPopover();
  return popover;
}
