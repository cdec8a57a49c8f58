// Runs `server/main.ts` with a measuring endpoint: GET on MEASURE_PORT returns the memory of the process, and how long
// its event loop was blocked since the previous request.
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
