import { type ServerResponse, createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type SandboxAccount, startSandbox } from '../../src/sandbox/index.ts'

/** How an account fails: an answer with this status to each of its calls, or of those that name the model. */
export interface Fault {
  readonly status: number
  readonly retryAfter?: number
  readonly model?: string
}

/** The sandbox, with accounts that a test breaks and mends while calls run. */
export interface Upstream extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** `id`: of the account at the sandbox. */
  break(id: string, fault: Fault): void
  mend(id: string): void
}

/** Starts a sandbox with these accounts, behind a server that fails in their place. */
export async function startUpstream(accounts: readonly SandboxAccount[]): Promise<Upstream> {
  await using opening = new AsyncDisposableStack()
  const sandbox = opening.use(await startSandbox({ accounts: [...accounts] }))
  const faults = new Map<string, Fault>()
  const keys = accounts.map(({ id, key }) => ({ id, key }))
  const server = createServer((message, response) => {
    const { method, url = '/', headers } = message
    const credentials = [headers.authorization, headers['x-api-key'], headers['x-goog-api-key']]
    const account = keys.find(({ key }) => credentials.some((one) => one?.includes(key)))
    const fault = faults.get(account?.id ?? '')
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const body = Buffer.concat(chunks)
      const isHit =
        fault && (fault.model === undefined || `${url}${body.toString()}`.includes(fault.model))
      if (isHit) return fail(response, fault)
      const { 'transfer-encoding': _, ...sent } = headers
      const forwarded = send(`${sandbox.url}${url}`, { method, headers: sent }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        answer.on('error', () => response.destroy())
      })
      forwarded.on('error', () => response.destroy())
      response.on('close', () => forwarded.destroy())
      forwarded.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opening.defer(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const opened = opening.move()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    break: (id, fault) => void faults.set(id, fault),
    mend: (id) => void faults.delete(id),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function fail(response: ServerResponse, { status, retryAfter }: Fault): void {
  const isLimit = status === 429
  const error = {
    message: isLimit ? 'Rate limit reached for requests.' : 'The server had an error.',
    type: isLimit ? 'rate_limit_error' : 'server_error',
  }
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  })
  response.end(JSON.stringify({ error }))
}
