import { readFileSync, statSync } from 'node:fs'
import { promptHidden } from './ask-owner.ts'
import { StartupError } from '@local/postgres'

/**
 * The minimum length of a passphrase in characters. Somebody who stole the backup can guess passphrases without a limit
 * on attempts.
 */
const shortestPassphrase = 12

/** The minimum length of a key in characters. A program creates the key file, for example `openssl rand -base64 32`. */
const shortestKey = 32

/** Asks for a new passphrase for a backup; at a terminal, the owner types the passphrase twice. */
export async function promptNewPassphrase(): Promise<string> {
  const passphrase = await promptHidden('Passphrase for this backup')
  if (passphrase.length < shortestPassphrase) {
    throw new StartupError(
      `The passphrase must have at least ${shortestPassphrase} characters. No backup was made. For a scheduled backup, use --key-file FILE.`,
    )
  }
  if (process.stdin.isTTY && (await promptHidden('Once more')) !== passphrase) {
    throw new StartupError('The two passphrases differ. No backup was made.')
  }
  return passphrase
}

/** Reads the key from a file. Throws if users other than the file's owner and group may read the file. */
export function readKeyFile(path: string): string {
  const key = readText(path).trim()
  if (key.length < shortestKey) {
    throw new StartupError(
      `The key file ${path} must contain at least ${shortestKey} characters. Create one: openssl rand -base64 32 > ${path}`,
    )
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o007) !== 0) {
    throw new StartupError(
      `Every user of this machine can read the key file ${path}. Restrict it: chmod 600 ${path}`,
    )
  }
  return key
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new StartupError(
      `The key file ${path} cannot be read (${reason}). Name a key file that this user can read.`,
    )
  }
}
