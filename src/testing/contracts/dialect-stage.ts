import { ok } from 'node:assert/strict'

import type { Candidate } from '../../contract/candidate.ts'
import type { DialectInfo } from '../../contract/dialect-info.ts'
import type { Framing } from '../../contract/framing.ts'
import type { Outcome } from '../../contract/outcome.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'
import { accountFraming } from '../../kit/framing/sse.ts'
import {
  type AccountRequest,
  type Answer,
  answerStream,
  startFakeAccount,
} from '../fake-account.ts'
import { type TestGateway, createTestGateway } from '../gateway.ts'
import type { DialectSample } from './dialect-sample.ts'

const accountSecret = 'secret-of-the-account'

/** What a client got. */
export interface Received {
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
  /** A message that shows the account's key and address, as accounts in the wild write them. */
  readonly tellingMessage: string
  /** What a client reads shows neither. */
  checkSecrets(text: string): void
  /** The dialect of the last request, and the dialect in which the account is asked. */
  dialect(): DialectInfo
  spoken(): Candidate['dialect']
  /** What the gateway understood of the last reply. */
  outcome(): Outcome | undefined
  framing(): Framing
  upstreamCalls(): number
  upstreamRequests(): readonly AccountRequest[]
  /** The answer to further requests. */
  answerWith(answer: Answer): void
  /**
   * Answers further requests with a stream of these pieces, in the framing of the dialect. The account sends
   * the last one when the client has something of the others.
   */
  streamWith(pieces: readonly Buffer[], options?: { readonly last?: Buffer }): void
  ask(stream: boolean, overrides?: { key?: string; body?: string }): Promise<Received>
}

/** `speaks`: the dialects of the account. Absent: the dialects of its provider. */
export async function stageDialect(
  { provider, path, streamPath = path, headers, request, streamRequest, framing }: DialectSample,
  plugins: readonly GatewayPlugin[],
  speaks?: readonly string[],
): Promise<DialectStage> {
  let answer: Answer = (response) => void response.writeHead(500).end()
  let dialect: DialectInfo | undefined
  let spoken: Candidate['dialect'] | undefined
  /** Resolves when the client has a part of the reply. */
  let read = Promise.withResolvers<void>()
  let outcome: Outcome | undefined
  const watcher: GatewayPlugin = {
    name: 'dialect-contract',
    onCandidates({ exchange, candidates }) {
      dialect = exchange.dialect
      spoken = candidates[0]?.dialect
      return undefined
    },
    onOutcome(event) {
      outcome = event.outcome
    },
  }
  const account = await startFakeAccount((...given) => answer(...given))
  const gateway = await createTestGateway({
    plugins: [...plugins, watcher],
    accounts: [
      // The account accepts any path, with or without a version.
      {
        id: 'a',
        provider,
        baseUrl: account.url,
        apiKey: accountSecret,
        models: ['*'],
        ...(speaks && { speaks: [...speaks] }),
      },
    ],
  })
  const origin = account.url.replace('http://', '')
  const asked = () => known(spoken)
  const framed = () => framing ?? accountFraming(asked())
  return {
    gateway,
    tellingMessage: `wrong: ${accountSecret} at ${origin}`,
    checkSecrets(text) {
      for (const secret of [accountSecret, origin]) {
        ok(!text.includes(secret), `the client reads ${secret}`)
      }
    },
    dialect: () => known(dialect),
    spoken: asked,
    outcome: () => outcome,
    framing: framed,
    upstreamCalls: () => account.requests.length,
    upstreamRequests: () => account.requests,
    answerWith: (next) => void (answer = next),
    streamWith(pieces, { last } = {}) {
      answer = async (response, request) => {
        const contentType = framed().mediaTypes[0]
        if (!last) return answerStream(pieces, { contentType })(response, request)
        response.writeHead(200, { 'content-type': contentType })
        for (const piece of pieces) response.write(piece)
        await read.promise
        response.end(last)
      }
    },
    async ask(stream, { key = gateway.key, body } = {}) {
      read = Promise.withResolvers()
      const response = await fetch(gateway.url + (stream ? streamPath : path), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers, authorization: `Bearer ${key}` },
        body: body ?? JSON.stringify(stream ? streamRequest : request),
      })
      return receive(response, () => read.resolve())
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

function known<T>(dialect: T | undefined): T {
  if (!dialect) throw new Error('No request has reached an operation with accounts.')
  return dialect
}

async function receive(response: Response, onRead: () => void): Promise<Received> {
  const chunks: Uint8Array[] = []
  let isReset = false
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      onRead()
    }
  } catch {
    isReset = true
  }
  const bytes = Buffer.concat(chunks)
  const contentType = response.headers.get('content-type') ?? ''
  return { status: response.status, contentType, bytes, text: bytes.toString(), isReset }
}
