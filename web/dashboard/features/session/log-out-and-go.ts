import { paths } from '#web/lib/paths.ts'
import { logOut } from './session-store.ts'

/** Ends the sign-in session and opens the home page, even if the server does not respond. */
export async function logOutAndGo(): Promise<void> {
  try {
    await logOut()
  } finally {
    window.location.assign(paths.home)
  }
}
