import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { openPlace, type Place, type Running } from './dragoman.ts'

export const secret = 'secret-of-this-test'

/** The accounts `a` and `b` of a sandbox, of which `a` is asked first. */
export function configuration(sandbox: Sandbox, rest: object = {}): string {
  const accounts = ['a', 'b'].map((id, priority) => ({
    id,
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: `sandbox-key-${id}`,
    models: ['*'],
    priority,
  }))
  return JSON.stringify({
    keys: [{ id: 'team', secret }],
    accounts,
    store: 'file:store',
    ...rest,
  })
}

/** A place with such a configuration. */
export interface SwitchedPlace extends AsyncDisposable {
  readonly place: Place
  readonly sandbox: Sandbox
}

export async function openSwitchedPlace(rest: object = {}): Promise<SwitchedPlace> {
  await using opened = new AsyncDisposableStack()
  const sandbox = opened.use(await startSandbox())
  const place = opened.use(await openPlace())
  await place.write('dragoman.config.json', configuration(sandbox, rest))
  const owned = opened.move()
  return { place, sandbox, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Asks on a connection of its own, so that any worker may get it. */
export function ask(url: string, fields: object = {}): Promise<Response> {
  return fetch(`${url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, connection: 'close' },
    body: JSON.stringify({ model: 'sandbox/words=2', input: 'hi', ...fields }),
  })
}

/** The account that a fresh call goes to, or its status where it goes to none. */
export async function accountAsked(url: string): Promise<string> {
  const reply = await ask(url)
  await reply.body?.cancel()
  return reply.headers.get('x-dragoman-account') ?? `status ${reply.status}`
}

/** A server's own log so far. */
export function logOf({ output }: Running): Record<string, unknown>[] {
  const lines = output.stderr.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}
