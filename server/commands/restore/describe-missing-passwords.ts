/**
 * Returns the message for a restored shop whose owners have no password. The message names the command that lets an
 * owner sign in.
 */
export const describeMissingPasswords = (username: string): string =>
  `IMPORTANT: no owner has a password, because a backup of a hosted project contains none. Run npm run admin -- reset ${username} with the settings of the restored shop, sign in, and send the others a new invitation (Settings, Team).`
