import { PasskeysSection } from '#web/dashboard/features/passkeys/passkeys-section.tsx'

/** How the signed-in team member signs in. */
export function SignInMethodsView() {
  return (
    <article className="sign-in-methods">
      <h2 tabIndex={-1}>Sign-in</h2>
      <PasskeysSection />
    </article>
  )
}
