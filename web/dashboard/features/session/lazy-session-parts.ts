import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'

/**
 * Components for signing in, which a signed-in user rarely needs. The browser preloads the login form and the dialog of
 * an ended session while the server checks the sign-in session.
 */
export const LazyLoginForm = lazyComponent(
  async () => (await import('./login-form.tsx')).LoginForm,
  null,
)

export const LazySessionEndedDialog = lazyComponent(
  async () => (await import('./session-ended-dialog.tsx')).SessionEndedDialog,
  null,
)

export const LazyDataUnavailableNotice = lazyComponent(
  async () => (await import('./data-unavailable-notice.tsx')).DataUnavailableNotice,
  null,
)
