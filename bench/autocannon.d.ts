// Types for the part of the package autocannon that the benchmarks use; the package itself contains no types.
declare module 'autocannon' {
  type Request = { body?: string }
  type Options = {
    url: string
    connections: number
    duration: number
    /** The number of requests after which the run ends, regardless of its duration. */
    amount?: number
    method?: 'GET' | 'POST'
    headers?: Record<string, string>
    body?: string
    requests?: { setupRequest: (request: Request) => Request }[]
  }
  type Result = {
    requests: { total: number }
    latency: { p50: number; p99: number }
    '2xx': number
    non2xx: number
    errors: number
    /** The duration of the run in seconds. */
    duration: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
