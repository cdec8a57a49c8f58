import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'

/**
 * The login form, whose code is loaded while the session is checked. Most visits of the dashboard have a session and do not
 * show the form.
 */
export const LazyLoginForm = lazyComponent(
  async () => (await import('./login-form.tsx')).LoginForm,
  null,
)
