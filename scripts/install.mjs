import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs `npm ci` unless node_modules already holds what package-lock.json says. */
export async function installIfStale(root) {
  if (isInstalled(root)) return
  console.log('Installing what package-lock.json lists (about half a minute)…')
  const started = Date.now()
  const status = await npm(root, [
    'ci',
    // Whatever NODE_ENV says: building and testing need them all.
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    // Hides the warnings about the host's older Node; nothing of ours runs on it.
    '--loglevel=error',
  ])
  if (status !== 0) {
    console.error('\nInstalling failed; npm says why above. Nothing was started.')
    process.exit(status)
  }
  console.log(`Installed in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
}

/** npm writes down what it installed; each package that this machine needs must be there in that version. */
function isInstalled(root) {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  try {
    const installed = readPackages(record)
    return Object.entries(readPackages(join(root, 'package-lock.json'))).every(
      ([path, wanted]) => path === '' || isThere(installed[path], wanted),
    )
  } catch {
    return false
  }
}

function isThere(found, wanted) {
  if (found) return found.version === wanted.version && found.integrity === wanted.integrity
  return wanted.optional === true && !isForThisMachine(wanted)
}

function isForThisMachine({ os, cpu, libc }) {
  // Packages without a platform are optional for another reason; npm decides about those.
  if (!os && !cpu) return false
  if (libc && !libc.includes(isMusl() ? 'musl' : 'glibc')) return false
  return matches(os, process.platform) && matches(cpu, process.arch)
}

const matches = (allowed, value) => !allowed || allowed.includes(value)

function isMusl() {
  return process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function npm(root, args) {
  // Under npm the same npm; called directly, the one in the PATH.
  const cli = process.env['npm_execpath']
  const [program, ...first] = cli?.endsWith('.js') ? [process.execPath, cli] : ['npm']
  return new Promise((done) => {
    const child = spawn(program, [...first, ...args], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32' && program === 'npm',
    })
    child.once('error', (error) => {
      console.error(`npm cannot be started: ${error.message}`)
      done(1)
    })
    child.once('exit', (code) => done(code ?? 1))
  })
}
