import type { Framing } from '../../src/contract/framing.ts'
import type { LogLines } from '../../src/testing/lines.ts'
import { type FakeAccount, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'
import type { Form } from '../walks/streams/forms.ts'
import { until } from '../../src/testing/until.ts'
import { ask } from '../walks/streams/asking.ts'
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

interface StageOptions {
  readonly calls?: number
  readonly replyModel?: 'account' | 'client'
  /** The framing for clients of the account's dialect, if it is another. */
  readonly toClients?: Framing
}

/** A gateway before an account with a framing. It can serve several calls at once. */
export async function stageOf(
  { framing }: Framed,
  { calls = 8, replyModel = 'account', toClients = framing }: StageOptions = {},
): Promise<FramedStage> {
  const scripts = new Map<string, Script>()
  const account = await startFakeAccount((response, request) => {
    const { model } = JSON.parse(request.body.toString()) as { model: string }
    const { writes, stays } = scripts.get(model)!
    response.writeHead(200, { 'content-type': framing.mediaTypes[0] })
    response.flushHeaders()
    for (const bytes of writes) response.write(bytes)
    if (!stays) response.end()
  })
  const gateway = await createTestGateway({
    plugins: [framedDialect(framing, toClients)],
    // One for each call: none is kept from its account by the failures before it.
    accounts: Array.from({ length: calls }, (_, index) => ({
      id: `a-${index}`,
      provider: 'framed',
      baseUrl: account.url,
      apiKey: 'key-of-a',
      models: { [`house/${index}`]: `m-${index}` },
      replyModel,
    })),
    timeouts: { idleMs: 400 },
  })
  let asked = 0
  return {
    gateway,
    account,
    async serve(form, script) {
      const index = asked++
      scripts.set(`m-${index}`, script)
      const response = await ask(gateway, form, { model: `house/${index}` })
      const bytes = await bytesOf(response)
      const line = await lineOf(gateway, `a-${index}`)
      const type = response.headers.get('content-type')
      const { status } = response
      return {
        status,
        type,
        bytes,
        // Not all tests of large streams read it.
        get text() {
          return bytes.toString()
        },
        streamEnd: line['stream_end'],
      }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

/** The bytes up to the end of the reply, good or bad. */
async function bytesOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk)
  } catch {
    // A reset ends a broken stream of some dialects.
  }
  return Buffer.concat(chunks)
}

/** The line of the call that the account has served. */
async function lineOf(gateway: TestGateway, account: string): Promise<LogLines[number]> {
  let found: LogLines[number] | undefined
  await until(async () => {
    const lines = await gateway.logged(0)
    found = lines.findLast((line) => line['account'] === account)
    return found !== undefined
  })
  return found!
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
