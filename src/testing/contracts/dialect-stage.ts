import type { DialectInfo } from '../../contract/dialect-info.ts'
import type { Framing } from '../../contract/framing.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'
import { accountFraming } from '../../kit/framing/choose.ts'
import { type Answer, answerStream, startFakeAccount } from '../fake-account.ts'
import { type TestGateway, createTestGateway } from '../gateway.ts'
import type { DialectSample } from './dialect-sample.ts'

export const accountSecret = 'secret-of-the-account'

/** What a client got. */
interface Received {
  readonly status: number
  readonly contentType: string
  readonly bytes: Buffer
  readonly text: string
  /** Whether the connection was reset before the end of the reply. */
  readonly isReset: boolean
}

/** A gateway with the dialect, before an account with an answer. */
export interface DialectStage extends AsyncDisposable {
  readonly gateway: TestGateway
  /** The account's address, which no reply may contain. */
  readonly origin: string
  /** The dialect of the last request. */
  dialect(): DialectInfo
  framing(): Framing
  upstreamCalls(): number
  /** The answer to further requests. */
  answerWith(answer: Answer): void
  /** Answers further requests with a stream of these pieces, in the framing of the dialect. */
  streamWith(pieces: readonly Buffer[]): void
  ask(stream: boolean, overrides?: { key?: string; body?: string }): Promise<Received>
}

export async function stageDialect(
  { provider, path, streamPath = path, headers, request, streamRequest, framing }: DialectSample,
  plugins: readonly GatewayPlugin[],
): Promise<DialectStage> {
  let answer: Answer = (response) => void response.writeHead(500).end()
  let dialect: DialectInfo | undefined
  const watcher: GatewayPlugin = {
    name: 'dialect-contract',
    onCandidates({ exchange }) {
      dialect = exchange.dialect
      return undefined
    },
  }
  const account = await startFakeAccount((...given) => answer(...given))
  const gateway = await createTestGateway({
    plugins: [...plugins, watcher],
    accounts: [
      // The account accepts any path, with or without a version.
      { id: 'a', provider, baseUrl: account.url, apiKey: accountSecret, models: ['*'] },
    ],
  })
  const known = () => {
    if (!dialect) throw new Error('No request has reached an operation with accounts.')
    return dialect
  }
  const framed = () => framing ?? accountFraming(known())
  return {
    gateway,
    origin: account.url.replace('http://', ''),
    dialect: known,
    framing: framed,
    upstreamCalls: () => account.requests.length,
    answerWith: (next) => void (answer = next),
    streamWith(pieces) {
      answer = (...given) => answerStream(pieces, { contentType: framed().mediaTypes[0] })(...given)
    },
    async ask(stream, { key = gateway.key, body } = {}) {
      const response = await fetch(gateway.url + (stream ? streamPath : path), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers, authorization: `Bearer ${key}` },
        body: body ?? JSON.stringify(stream ? streamRequest : request),
      })
      return receive(response)
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

async function receive(response: Response): Promise<Received> {
  const chunks: Uint8Array[] = []
  let isReset = false
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk)
  } catch {
    isReset = true
  }
  const bytes = Buffer.concat(chunks)
  const contentType = response.headers.get('content-type') ?? ''
  return { status: response.status, contentType, bytes, text: bytes.toString(), isReset }
}
