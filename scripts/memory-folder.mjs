import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Where Linux keeps files in memory, for every user. */
const memory = '/dev/shm'

/** Four times what a whole run was seen to need at one time. */
const neededBytes = 2 * 1024 ** 3

const prefix = 'torque-tests-'

/**
 * A folder for the temporary files of a test run. Hundreds of databases are copied and dropped in it, of which a disk
 * would keep nothing: in memory the tests of the server take two thirds of the time. Undefined where there is no such
 * place or too little room; the usual folder does as well. Gone with this process.
 * @returns {string | undefined}
 */
export function makeMemoryFolder() {
  if (process.platform !== 'linux' || !existsSync(memory)) return undefined
  removeForgotten()
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < neededBytes) return undefined
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder)
  // As the usual folder is: under root the database server is another user.
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What a run left that was killed would stay in memory until the machine is started again. */
function removeForgotten() {
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    if (!Number.isNaN(pid) && !existsSync(`/proc/${pid}`))
      rmSync(join(memory, name), { recursive: true, force: true })
  }
}
