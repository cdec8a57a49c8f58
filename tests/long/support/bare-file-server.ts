// A server for comparison, which uses only Node's HTTP server. For each request, the server opens and streams the file
// that the environment variable FILE names.
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'

const file = String(process.env['FILE'])

createServer((_request, response) => {
  response.setHeader('content-type', 'text/javascript; charset=utf-8')
  const stream = createReadStream(file)
  stream.on('error', () => response.destroy())
  stream.pipe(response)
}).listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('listening\n'))
