import { readFileSync, statSync } from 'node:fs'
import { promptHidden } from './ask-owner.ts'
import { StartupError } from '@local/postgres'

/** A thief can guess for as long as they like. */
const shortestPassphrase = 12

/** A key file is made by a program, such as `openssl rand -base64 32`. */
const shortestKey = 32

/** A new passphrase for a backup; whoever types it types it twice. */
export async function promptNewPassphrase(): Promise<string> {
  const passphrase = await promptHidden('Passphrase for this backup')
  if (passphrase.length < shortestPassphrase) {
    throw new StartupError(
      `The passphrase must have at least ${shortestPassphrase} characters. Nothing was backed up. A timer uses --key-file FILE.`,
    )
  }
  if (process.stdin.isTTY && (await promptHidden('Once more')) !== passphrase) {
    throw new StartupError('These are two different passphrases. Nothing was backed up.')
  }
  return passphrase
}

/** The key in a file that only its owner, or a group, can read. */
export function readKeyFile(path: string): string {
  const key = readText(path).trim()
  if (key.length < shortestKey) {
    throw new StartupError(
      `The key file ${path} must hold at least ${shortestKey} characters. Make one: openssl rand -base64 32 > ${path}`,
    )
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o007) !== 0) {
    throw new StartupError(`Everybody on this machine can read the key file ${path}: chmod 600 it.`)
  }
  return key
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new StartupError(`The key file ${path} cannot be read (${reason}).`)
  }
}
