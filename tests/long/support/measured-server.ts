// The shop of `server/main.ts` in a process that tells how it is doing: GET on MEASURE_PORT answers the
// memory it holds and how long its event loop was held up since it was last asked.
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 5
const delays = monitorEventLoopDelay({ resolution: resolutionMs })
delays.enable()
const toMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs)

createServer((_request, response) => {
  response.end(
    JSON.stringify({
      megabytes: process.memoryUsage.rss() / 2 ** 20,
      delayP99Ms: toMs(delays.percentile(99)),
      delayMaxMs: toMs(delays.max),
    }),
  )
  delays.reset()
}).listen(Number(process.env['MEASURE_PORT']), '127.0.0.1')

await import('#server/main.ts')
