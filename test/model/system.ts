import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import type { Asked, Reference } from './reference.ts'

/** What a client saw. */
export interface Seen {
  status: number
  code: string | undefined
  account: string | null
  id: string | undefined
  /** The id of the first item of the reply. */
  item: string | undefined
}

export interface System extends AsyncDisposable {
  now: number
  readonly broken: { reads: boolean; writes: boolean }
  ask(asked: Asked & { stream: boolean; named?: string }): Promise<Seen>
  /** Requests that reached an account so far. */
  upstreamCalls(): number
  /** Takes over what the reference says of the accounts. */
  configure(reference: Reference): void
}

/** The gateway in question: real sockets, a store that can break, a clock that can be moved. */
export async function startSystem(reference: Reference): Promise<System> {
  await using started = new AsyncDisposableStack()
  let made = 0
  const upstream = started.use(
    await startFakeAccount((response, { body, url }) => {
      const reply = url?.endsWith('/chat/completions') ? completion(++made) : created(++made)
      const asked = JSON.parse(body.toString()) as { stream?: boolean }
      const [type, text] = asked.stream
        ? ['text/event-stream', reply.stream]
        : ['application/json', reply.json]
      response.setHeader('content-type', type).end(text)
    }),
  )
  const store = breakable(openMemoryStore())
  const clock = { now: reference.now }
  const keys = ['one', 'two'].map((id) => ({ id, secret: `secret-${id}` }))
  const gateway = started.use(
    await createTestGateway({
      ...configured(reference, upstream.url),
      keys,
      store,
      now: () => clock.now,
    }),
  )

  const owned = started.move()
  return {
    get now() {
      return clock.now
    },
    set now(time) {
      clock.now = time
    },
    broken: store.broken,
    upstreamCalls: () => upstream.requests.length,
    configure: (changed) => gateway.reload(configured(changed, upstream.url)),
    async ask({ key, model, previous, stream, named }) {
      const reply = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer secret-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model,
          input: named === undefined ? 'hi' : [{ type: 'item_reference', id: named }],
          stream,
          previous_response_id: previous,
        }),
      })
      const text = await reply.text()
      const last = text.replace('data: [DONE]', '').trimEnd().split('data: ').at(-1) ?? ''
      const json = JSON.parse(last) as {
        id?: string
        output?: { id: string }[]
        response?: { id: string; output: { id: string }[] }
        error?: { code: string | number; details?: { code?: string }[] }
      }
      return {
        status: reply.status,
        code: codeOf(json.error),
        account: reply.headers.get('x-dragoman-account'),
        id: json.response?.id ?? json.id,
        item: (json.response?.output ?? json.output)?.[0]?.id,
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Some ids are long, and some accounts leave out the status. */
function created(count: number) {
  const id = `resp_${count}${'x'.repeat(count % 5 === 0 ? 600 : 0)}`
  const status = count % 3 === 0 ? undefined : 'completed'
  const content = [{ type: 'output_text', text: 'hello', annotations: [] }]
  const output = [{ id: `msg_${count}`, type: 'message', role: 'assistant', content }]
  const stored = { id, object: 'response', status, output }
  const events = ['response.created', 'response.completed'].map(
    (type) => `event: ${type}\ndata: ${JSON.stringify({ type, response: stored })}\n\n`,
  )
  return { json: JSON.stringify(stored), stream: events.join('') }
}

/** Of an account that keeps nothing. */
function completion(count: number) {
  const shared = { id: `chatcmpl-${count}`, created: 0, model: 'm' }
  const said = { role: 'assistant', content: 'hello' }
  const whole = { index: 0, message: said, finish_reason: 'stop' }
  const chunk = { index: 0, delta: said, finish_reason: 'stop' }
  const json = JSON.stringify({ ...shared, object: 'chat.completion', choices: [whole] })
  const piece = JSON.stringify({ ...shared, object: 'chat.completion.chunk', choices: [chunk] })
  return { json, stream: `data: ${piece}\n\ndata: [DONE]\n\n` }
}

/** The chaining envelope has the code as a word, the general one in its details. */
function codeOf(error: { code: string | number; details?: { code?: string }[] } | undefined) {
  return typeof error?.code === 'string' ? error.code : error?.details?.[0]?.code
}

function configured({ accounts, aliases }: Reference, url: string) {
  return {
    accounts: [...accounts].map(([id, account]) => ({
      id,
      provider: 'openai',
      baseUrl: `${url}/v1`,
      apiKey: `upstream-${id}`,
      ...account,
    })),
    aliases: Object.fromEntries(aliases),
  }
}
