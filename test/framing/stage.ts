import { type FakeAccount, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'
import type { Form } from '../walks/streams/forms.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { type Framed, framedDialect } from './framed.ts'

/** How an account sends a stream: its writes, and whether the stream ends behind them. */
export interface Script {
  readonly writes: readonly Buffer[]
  readonly stays?: boolean
}

/** A client's reply, and what the access log says about it. */
interface Served {
  readonly status: number
  readonly type: string | null
  readonly bytes: Buffer
  readonly text: string
  readonly streamEnd: unknown
}

export interface FramedStage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly account: FakeAccount
  /** Asks for a stream, for which the account follows the script. */
  serve(form: Form, script: Script): Promise<Served>
}

/** A gateway before an account with a framing. */
export async function stageOf(
  { framing }: Framed,
  settings: { readonly replyModel?: 'client' } = {},
): Promise<FramedStage> {
  let current: Script = { writes: [] }
  const account = await startFakeAccount((response) => {
    response.writeHead(200, { 'content-type': framing.mediaTypes[0] })
    response.flushHeaders()
    for (const bytes of current.writes) response.write(bytes)
    if (!current.stays) response.end()
  })
  const gateway = await createTestGateway({
    plugins: [framedDialect(framing)],
    accounts: [
      {
        id: 'a',
        provider: 'framed',
        baseUrl: account.url,
        apiKey: 'key-of-a',
        models: { 'house/model': 'm' },
        ...settings,
      },
    ],
    timeouts: { idleMs: 400 },
  })
  let served = 0
  return {
    gateway,
    account,
    async serve(form, script) {
      current = script
      const response = await ask(gateway, form, { model: 'house/model' })
      const { bytes, text } = await receive(response)
      const lines = await gateway.logged(++served)
      const type = response.headers.get('content-type')
      return { status: response.status, type, bytes, text, streamEnd: lines.at(-1)?.['stream_end'] }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

/** Why a reply is no broken stream as its client has to see it; `undefined` for one that is. */
export function notBroken(
  { success }: Form,
  { status, text, streamEnd }: Served,
): string | undefined {
  if (status === 200 && streamEnd !== 'broken') return `the log says ${String(streamEnd)}`
  if (status !== 200 && status < 500) return `the status is ${status}`
  if (!text.includes('"error"')) return 'no error is in the reply'
  return success.test(text) ? 'the reply looks complete' : undefined
}
